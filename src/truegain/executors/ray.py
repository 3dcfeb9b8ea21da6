"""Workers of Ray: processes that it starts on this machine, or a cluster that runs already."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from tempfile import gettempdir
from typing import Any

from truegain.errors import InputError
from truegain.executors.base import RETRIES
from truegain.executors.cleanup import private_folder
from truegain.executors.cluster import LOOK_UP, Cluster, Losses, cannot_be_started, first_line, knock, need_memory
from truegain.executors.environment import Environment, check, here
from truegain.executors.open_files import need_open_files
from truegain.executors.sending import Packed, do, pack_item

_SECONDS_TO_ANSWER = 60  # of a machine whose first worker has to be started
_STORE = 1 << 30  # bytes of memory for the task and for results that are on their way; more goes to disk
_ADDRESSES = 9 << 28  # bytes of address space: with less, its library ends the process or waits for ever
_LONGEST_FOLDER = 15  # bytes: 88 at most are added, and the name of a socket may have 103 on a Mac, 107 on Linux

# Where something answers that is not Ray's, it would try for half a minute.
_TRIES = {"RAY_CLIENT_INITIAL_CONNECTION_TIMEOUT_S": "3", "RAY_CLIENT_MAX_CONNECTION_TIMEOUT_S": "3"}
_WHEN_LOADED = {
    # Even without its logs it would write to standard output of every worker that is lost, among our results.
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",
    # Where a cluster is lost, it would begin one on this machine at the next call.
    "RAY_ENABLE_AUTO_CONNECT": "0",
}


@dataclass(frozen=True)
class Ray(Cluster):
    """A cluster of Ray, spoken to by its module; one that this program has open is used as it is.

    The address is that of its server for clients.
    """

    @property
    def workers(self) -> int:
        """See :class:`truegain.executors.base.Executor`."""
        return max(1, _processors(self.library))

    @property
    def where(self) -> str:
        """The cluster, for messages."""
        return "Ray on this machine" if self.address is None else f"the Ray cluster at {self.address}"

    def _connected(self, ends: ExitStack) -> Any:
        if self.address is None:
            self._begin(ends)
        else:
            self._find(ends, self.address)
        _hush()
        check(_answers())
        return sys.modules["ray"]

    def _runs(self, library: Any) -> bool:
        return bool(library.is_initialized())

    def _work(self, packed: Packed, items: Sequence[Any]) -> _Work:
        return _Work(self.library, packed, items, self.where)

    def _begin(self, ends: ExitStack) -> None:
        """Begin a cluster on this machine, out of reach of other machines and of other users, who have no key."""
        ray = _load(local=True)
        if ray.is_initialized():
            if (found := _processors(ray)) != self.jobs:
                warnings.warn(
                    f"this program is connected to a cluster of Ray already, and its {found} processors are used; "
                    f"{self.jobs} jobs were asked for",
                    RuntimeWarning,
                    stacklevel=2,
                )
            return
        need_open_files(100 + 8 * self.jobs, self.where)
        need_memory(_ADDRESSES, self.where)
        short = len(os.fsencode(gettempdir())) <= _LONGEST_FOLDER
        # Ray opens its own folder, and most of those in it, to all users: so it gets one within a folder of ours.
        folder = ends.enter_context(private_folder("truegain-ray-", None if short else "/tmp")) / "r"
        ends.callback(ray.shutdown)
        try:
            with _own_signals(ray), _own_groups(ray):
                ray.init(
                    address="local",
                    num_cpus=self.jobs,
                    num_gpus=0,
                    include_dashboard=False,
                    log_to_driver=False,
                    configure_logging=False,
                    object_store_memory=_STORE,
                    _temp_dir=str(folder),
                )
        except Exception as error:  # some of its errors are of no other class
            raise cannot_be_started(self.where, error) from error

    def _find(self, ends: ExitStack, address: str) -> None:
        ray = _load()
        if find_spec("grpc") is None:
            raise InputError("Ray is installed here without its client", hint="pip install 'truegain[ray]'")
        if ray.is_initialized():
            raise InputError(
                f"this program is connected to a cluster of Ray already, and {address} was asked for",
                hint="use engine='ray' for the cluster it has, or end that with ray.shutdown()",
            )
        try:
            knock(address)
            ends.callback(ray.shutdown)
            with warnings.catch_warnings(), _environment(**_TRIES), _own_signals(ray):
                warnings.simplefilter("ignore")  # what the error says as well
                ray.init(f"ray://{address}", log_to_driver=False, configure_logging=False)
        except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
            raise InputError(
                f"{self.where} cannot be used: {first_line(error)}",
                hint="start it there with: ray start --head --ray-client-server-port=10001; and see that no firewall "
                "is between",
            ) from error


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    """Set what is not set, until the end."""
    new = {name: value for name, value in variables.items() if name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            os.environ.pop(name, None)


@contextmanager
def _own_signals(ray: Any) -> Iterator[None]:
    """Leave SIGTERM to a program that has a handler for it: Ray's would exit with code 15 in the middle of a step."""
    before = signal.getsignal(signal.SIGTERM)
    if not callable(before):
        yield
        return
    utils = ray._private.utils
    original = getattr(utils, "set_sigterm_handler", None)
    utils.set_sigterm_handler = lambda handler: None
    try:
        yield
    finally:
        utils.set_sigterm_handler = original
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


@contextmanager
def _own_groups(ray: Any) -> Iterator[None]:
    """Start Ray's processes in groups of their own, if the program has a handler for SIGTERM.

    A signal to the program's group would end them as well; the library then waits a minute for them, in C++, where no
    handler runs. They still end with this process: the kernel sees to that.
    """
    services = sys.modules["ray._private.services"]
    start = getattr(services, "ConsolePopen", None)
    ends_with_us = ray._private.utils.detect_fate_sharing_support()  # elsewhere Ray looks for them in our group
    if start is None or not ends_with_us or not callable(signal.getsignal(signal.SIGTERM)):
        yield
        return
    services.ConsolePopen = partial(start, process_group=0)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        services.ConsolePopen = start  # type: ignore[attr-defined]


def _load(*, local: bool = False) -> Any:
    """Import the library; replace its logs by our own messages, unless the program uses it already."""
    own = "ray" not in sys.modules
    if own and local:  # it reads them when it is imported, once; its processes do when they begin, also a second time
        for name, value in _on_this_machine().items():
            os.environ.setdefault(name, value)
    try:
        with _environment(**(_WHEN_LOADED if own else {})):
            import ray
    except ImportError as error:
        raise InputError(f"Ray is not installed here ({error})", hint="pip install 'truegain[ray]'") from error
    if own:
        _own.append(ray)
    _hush()
    return ray


_own: list[Any] = []  # the library, where this module was the first to import it


def _on_this_machine() -> dict[str, str]:
    from secrets import token_hex

    return {
        "RAY_USAGE_STATS_ENABLED": "0",  # nothing is told to anybody
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # its name for: only by 127.0.0.1
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": token_hex(32),
    }


def _hush() -> None:
    """Silence the library's logs; call it again after it has begun, which sets up its logs again."""
    if _own:
        import logging

        logging.getLogger("ray").setLevel(logging.CRITICAL + 1)


def _answers() -> dict[str, Environment | BaseException]:
    """Return the environment of a worker on each machine."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    asked = {
        f"on {node['NodeManagerHostname']} ({node['NodeManagerAddress']})": ray.remote(here)
        .options(num_cpus=1, scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False))
        .remote()
        for node in ray.nodes()
        if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
    }
    if not asked:
        raise InputError("the Ray cluster has no processors for tasks", hint="start workers: ray start --address=…")
    answers: dict[str, Environment | BaseException] = {}
    for name, answer in asked.items():
        try:
            answers[name] = ray.get(answer, timeout=_SECONDS_TO_ANSWER)
        except Exception as error:
            answers[name] = _cause(error)
    return answers


def _processors(ray: Any) -> int:
    """Return how many tasks the cluster can do at a time."""
    return int(ray.cluster_resources().get("CPU", 0))


def _cause(error: BaseException) -> BaseException:
    """Return what went wrong on a worker, without Ray's account of it."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, BaseException):
        return cause
    if "No module named 'truegain" in str(error):
        return ModuleNotFoundError("No module named 'truegain'")
    return RuntimeError(first_line(error))


class _Work:
    """See :class:`truegain.executors.ordered_map.Work`."""

    def __init__(self, ray: Any, packed: Packed, items: Sequence[Any], where: str) -> None:
        self._ray = ray
        self._packed = packed
        self._items = items
        self._losses = Losses(where)
        self._places: dict[Any, int] = {}
        self._do = ray.remote(do).options(num_cpus=1, max_retries=RETRIES, retry_exceptions=False)
        self._data = ray.put(packed)

    def begin(self, place: int) -> None:
        self._places[self._do.remote(self._data, pack_item(self._items[place]))] = place

    def ended(self) -> tuple[int, Any]:
        """Wait for an item; one that was lost with its machine is sent again."""
        errors = self._ray.exceptions
        while True:
            try:
                reference = self._next()
                place = self._places.pop(reference)
                return place, self._ray.get(reference)
            except errors.ObjectLostError:
                self._again(place)
            except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError) as error:
                raise self._losses.killed() from error
            except ConnectionError as error:
                raise self._losses.gone() from error

    def drop(self) -> None:
        with suppress(Exception):  # the cluster may be gone
            for reference in self._places:
                self._ray.cancel(reference)
        self._places.clear()
        self._data = None

    def _next(self) -> Any:
        waited = 0
        while True:
            if not self._ray.is_initialized():
                raise ConnectionError
            ready, _ = self._ray.wait(list(self._places), num_returns=1, timeout=LOOK_UP)
            if ready:
                return ready[0]
            waited = self._losses.waited(waited, workers=_processors(self._ray) > 0)

    def _again(self, place: int) -> None:
        """Send again what was lost, with the data: Ray makes again what tasks made, not what it was given."""
        self._losses.again(place)
        self._data = self._ray.put(self._packed)
        self.begin(place)
