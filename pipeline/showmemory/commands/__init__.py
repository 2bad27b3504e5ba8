"""What people type, all over flow."""
