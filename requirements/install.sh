#!/bin/sh
# Bring .venv up to date: `sh requirements/install.sh run` for using showmemory, `dev` for working on it.
#
# A stamp in .venv names what it was made from: the folder (scripts in a venv hold its path), the requirements and
# pyproject.toml. While that is unchanged this script does nothing. A copied folder is made anew, since its .venv
# points at the old one.
set -eu
cd "$(dirname "$0")/.."
wanted=${1:-run}
venv=.venv
unset PYTHONHOME PYTHONPATH PIP_USER PIP_TARGET PIP_PREFIX PIP_REQUIRE_VIRTUALENV 2>/dev/null || true
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1

sums() { cat "requirements/$1.txt" pyproject.toml requirements/install.sh | cksum | tr -d ' '; }
stamp() { printf '%s %s %s' "$1" "$(sums "$1")" "$PWD"; }
alive() { [ -x "$venv/bin/python" ] && "$venv/bin/python" -c '' 2>/dev/null; }
held=$(cat "$venv/.showmemory" 2>/dev/null || true)
if [ "$held" = "$(stamp dev)" ] || [ "$held" = "$(stamp "$wanted")" ]; then
    if alive; then exit 0; fi
    held=
fi

# A name on the PATH may be a shim of a version manager that starts nothing, so each candidate is run.
usable() { "$1" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= '"$2"')' 2>/dev/null; }
find_python() {
    for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python; do
        if usable "$name" '(3, 13)'; then command -v "$name"; return; fi
    done
    for root in "${PYENV_ROOT:-$HOME/.pyenv}"/versions /opt/homebrew/opt /usr/local/opt; do
        for name in "$root"/3.13*/bin/python "$root"/3.12*/bin/python "$root"/3.11*/bin/python \
            "$root"/python@3.1[123]/bin/python3.1[123]; do
            if usable "$name" '(3, 13)'; then echo "$name"; return; fi
        done
    done
    if usable python3 '(3, 99)'; then command -v python3; fi
}
missing() {
    echo "showmemory needs Python 3.11, 3.12 or 3.13 with its venv module, and found none." >&2
    if command -v python3 >/dev/null 2>&1; then
        echo "  python3 here is: $(python3 --version 2>&1)" >&2
        if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "  it lacks venv: on Debian or Ubuntu, apt install python3-venv" >&2
        fi
    fi
    echo "  get it from python.org, your system's packages or pyenv; or name one: make PYTHON=/path/to/python3.12 ..." >&2
    exit 1
}

case "$held" in *" $PWD") alive || held= ;; *) held= ;; esac
if [ -z "$held" ]; then
    python=$(find_python)
    [ -n "$python" ] || missing
    echo "Setting up $venv with $("$python" --version 2>&1) (once; a minute or two)"
    "$python" -m venv --clear "$venv"
else
    echo "Bringing $venv up to date"
fi
rm -f "$venv/.showmemory"
install() {
    "$venv/bin/python" -m pip install -qq --require-hashes -r "requirements/$wanted.txt" &&
        "$venv/bin/python" -m pip install -qq --no-deps --no-build-isolation --editable .
}
if ! install; then
    echo "The packages showmemory needs could not be installed; pip says why above." >&2
    echo "  the first time, this needs the network (or pip's own settings for a mirror)" >&2
    exit 1
fi
stamp "$wanted" >"$venv/.showmemory"
