"""show.toml's `[model]` and the environment -> a provider, or why there is none. The only place that reads a key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from ipaddress import ip_address
from urllib.parse import urlsplit

from showmemory.ask import anthropic_api, openai_api
from showmemory.ask.prompts import limits
from showmemory.ask.seam import Access, Limits, LlmProvider
from showmemory.model.show import ModelConfig

GROUP = "showmemory.providers"
Make = Callable[[Access], LlmProvider]
# Name -> (how it is made, its own address, the variable of its key, the variable a person sets another address with).
_OURS: Mapping[str, tuple[Make, str, str, str]] = {
    "anthropic": (anthropic_api.Anthropic, anthropic_api.URL, anthropic_api.KEY, "ANTHROPIC_BASE_URL"),
    "openai-compatible": (openai_api.OpenAiCompatible, openai_api.URL, openai_api.KEY, "OPENAI_BASE_URL"),
}


@dataclass(frozen=True, slots=True)
class Off:
    """Why no model is asked. `mistake`: show.toml says what cannot be; that there is no key is none (A81)."""

    why: str
    mistake: bool = True


def provider(config: ModelConfig, environ: Mapping[str, str], *, shown: bool = False) -> LlmProvider | Off:
    """The provider that show.toml names, ready to be asked; or why there is none. `shown`: only to show a request."""
    make = _maker(config.provider)
    if isinstance(make, Off):
        return make
    if not (config.name or any(stage.name for stage in config.stages.values())):
        return Off("expected a model's name under [model], found none")
    access = Access(config.base_url) if shown else access_of(config, environ)
    return access if isinstance(access, Off) else make(access)


def access_of(config: ModelConfig, environ: Mapping[str, str]) -> Access | Off:
    """Where to call and with which key.

    show.toml comes with the show, and may be a stranger's: it cannot send the usual keys to an address of its own,
    nor name a variable that is no key.
    """
    _, home, usual, set_by_hand = _OURS.get(config.provider, (None, "", "", ""))
    name = config.api_key_env or usual
    if name and not name.endswith("_API_KEY"):
        return Off(f"expected api_key_env to end in _API_KEY, found {name}")
    url = config.base_url or environ.get(set_by_hand, "") or home
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.username):
        return Off("expected base_url to be an http or https address, found something else")
    here = _is_loopback(parts.hostname or "")
    foreign = bool(config.base_url) and url.rstrip("/") != home and not here
    if foreign and config.api_key_env in ("", *(row[2] for row in _OURS.values())):
        name = ""
        if config.provider == "anthropic" or config.api_key_env:
            return Off(f"the usual key is not sent to {parts.hostname}: name another with api_key_env")
    key = environ.get(name, "") if name else ""
    if not key and (config.provider == "anthropic" or url == home or config.api_key_env):
        return Off(f"{name} is not set", mistake=False)
    if key and parts.scheme == "http" and not here:
        return Off(f"expected https for a key to be sent to {parts.hostname}, found http")
    return Access(url, key, name, limits_of(config))


def limits_of(config: ModelConfig) -> Limits:
    """The standard limits, with the show's own over them."""
    given = {"timeout_s": config.timeout_s, "retries": config.retries, "retry_wait_s": config.retry_wait_s}
    return replace(limits(), **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]


def is_local(config: ModelConfig) -> bool:
    """Whether the model runs on this machine, where a call costs nothing."""
    return _is_loopback(urlsplit(config.base_url).hostname or "") and config.provider != "anthropic"


def _maker(name: str) -> Make | Off:
    if name in _OURS:
        return _OURS[name][0]
    for found in entry_points(group=GROUP, name=name):
        make: Make = found.load()
        return make
    known = ", ".join([*_OURS, *sorted(e.name for e in entry_points(group=GROUP))])
    return Off(f"no provider is called {name}: there are {known}")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
