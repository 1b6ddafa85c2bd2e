# Sourced by scripts/test and scripts/demo: how a virtual environment and Debian packages get here.
# Works with Python 3.11 or newer and nothing else; a second call with an unchanged pyproject.toml does nothing.

# Say what is being done, with the seconds since the script began.
step() { printf '[%3d s] %s\n' "$SECONDS" "$*" >&2; }

# Print the first Python that is new enough and can make virtual environments.
find_python() {
    local name
    for name in python3.13 python3.12 python3.11 python3 python; do
        # A name on the PATH may be an empty shim, so it is run, not looked up.
        if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    echo "Python 3.11 or newer with the venv module is needed and was not found (on Debian: apt-get install python3 python3-venv)" >&2
    return 1
}

# install VENV EXTRAS: this project, editable, with the extras (comma-separated) beside those that VENV has already.
install() {
    local venv=$1 extras=$2 python
    [ -x "$venv/bin/python" ] || { python=$(find_python) && step "making $venv with $python" && "$python" -m venv "$venv"; }
    extras=$("$venv/bin/python" scripts/installed.py missing "$venv" "$extras")
    [ -n "$extras" ] || return 0
    step "installing into $venv: $extras"
    # uv is four times as fast as pip; where it cannot work (a mirror that only pip's own settings name), pip does.
    "$venv/bin/pip" install --quiet --disable-pip-version-check uv || true
    "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" --editable ".[$extras]" ||
        "$venv/bin/pip" install --quiet --disable-pip-version-check --editable ".[$extras]"
    "$venv/bin/python" scripts/installed.py note "$venv" "$extras"
}

# debian_packages NAME...: install those that are missing when this is Debian and we are root, else name them.
debian_packages() {
    local name missing=()
    for name in "$@"; do
        dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        step "installing Debian packages: ${missing[*]}"
        export DEBIAN_FRONTEND=noninteractive
        if apt-get update -qq && apt-get install -qq --no-install-recommends "${missing[@]}" >/dev/null; then
            return 0
        fi
    fi
    echo "not installed: ${missing[*]}; tests that need them are skipped (as root: apt-get install ${missing[*]})" >&2
}
