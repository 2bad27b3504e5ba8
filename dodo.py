from showmemory.tasks import tasks_for
globals().update(tasks_for("sample_show"))
