#!/bin/sh
# Pin and hash run.txt and dev.txt from pyproject.toml and build.in, for Python 3.11 and later on every system.
set -eu
cd "$(dirname "$0")/.."
export UV_CUSTOM_COMPILE_COMMAND="make requirements"
pin() {
    .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
        "$@" pyproject.toml requirements/build.in
}
pin --upgrade --output-file requirements/run.txt
pin --upgrade --extra dev --constraint requirements/run.txt --output-file requirements/dev.txt
