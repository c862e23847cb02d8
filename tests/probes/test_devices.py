"""A GPU that is not there, or fails: a sentence, and the CPU if that is allowed.

CuPy is played by NumPy here: its module has the same names, and breaks where a test wants it to.
"""

import sys
from types import ModuleType, SimpleNamespace

import array_api_strict as strict
import numpy as np
import pytest

import novikoff
from novikoff.probes import devices, probe
from novikoff.probes.devices import CPU, choose_device

X = np.random.default_rng(0).standard_normal((40, 3)).astype(np.float32)
Y = {"first": X[:, 0] > 0, "noise": np.arange(40) % 3 == 0}


class OutOfMemoryError(MemoryError):
    """As CuPy's own: known by the module that it comes from."""


class CUDARuntimeError(RuntimeError):
    """As CuPy's own."""


OutOfMemoryError.__module__ = "cupy.cuda.memory"
CUDARuntimeError.__module__ = "cupy_backends.cuda.api.runtime"


def fake_cupy(count=1, fails=None):
    module = ModuleType("cupy")
    module.__dict__.update({name: getattr(np, name) for name in dir(np) if name[0] != "_"})

    def memory():
        if fails is not None:
            raise fails
        return 1 << 30, 1 << 30

    runtime = SimpleNamespace(getDeviceCount=lambda: count, memGetInfo=memory)
    module.cuda = SimpleNamespace(runtime=runtime)
    return module


def with_cupy(monkeypatch, module):
    monkeypatch.setattr(devices, "_cupy", lambda: module)


def run(device):
    return novikoff.probe(X, Y, device=device, controls=1, progress=False, random_state=0)


def without_cupy(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)


def test_without_cupy_auto_is_the_cpu_and_cuda_says_what_to_install(monkeypatch):
    without_cupy(monkeypatch)
    assert run("auto").device == "cpu"
    assert run("auto").notes == ()
    with pytest.raises(ImportError, match=r"novikoff\[cuda\]"):
        run("cuda")


class OnGpu:
    """A tensor on a GPU, as torch has them."""

    def __dlpack__(self, **options):
        raise BufferError

    def __dlpack_device__(self):
        return 2, 0

    def detach(self):
        return self

    def cpu(self):
        return X


def test_a_tensor_on_a_gpu_without_cupy_is_copied_and_auto_says_so(monkeypatch):
    without_cupy(monkeypatch)
    found = novikoff.probe(OnGpu(), Y, controls=0, progress=False)
    assert (found.device, found["first"].verdict) == ("cpu", "separable")
    assert "no CuPy to use it there" in found.notes[0]
    assert novikoff.probe(OnGpu(), Y, device="cpu", controls=0, progress=False).notes == ()


def test_a_library_of_the_driver_that_is_missing_is_a_sentence(monkeypatch):
    def cupy():
        raise ImportError("libcuda.so.1: cannot open shared object file")

    monkeypatch.setattr(devices, "_cupy", cupy)
    assert "CuPy cannot be imported (libcuda.so.1" in run("auto").notes[0]
    with pytest.raises(novikoff.NovikoffError, match="nvidia-smi"):
        run("cuda")

    broken = fake_cupy()
    broken.linalg = SimpleNamespace(eigh=lambda matrix: cupy())
    with_cupy(monkeypatch, broken)
    assert "does not answer (libcuda.so.1" in run("auto").notes[0]


def test_with_cupy_and_no_gpu_auto_says_so(monkeypatch):
    with_cupy(monkeypatch, fake_cupy(count=0))
    found = run("auto")
    assert found.device == "cpu"
    assert found.notes == ("CuPy is installed, but there is no GPU. The CPU was used instead.",)
    with pytest.raises(novikoff.NovikoffError, match="there is no GPU"):
        run("cuda")


def test_a_driver_that_fails_is_a_sentence(monkeypatch):
    broken = fake_cupy(fails=CUDARuntimeError("cudaErrorInsufficientDriver: too old\nmore"))
    with_cupy(monkeypatch, broken)
    assert "does not answer (cudaErrorInsufficientDriver: too old)" in run("auto").notes[0]
    with pytest.raises(RuntimeError, match="nvidia-smi"):
        run("cuda")


def test_a_gpu_whose_memory_others_have_is_said_to_be_full(monkeypatch):
    with_cupy(monkeypatch, fake_cupy(fails=OutOfMemoryError("Out of memory allocating 9 bytes")))
    assert "memory is too small" in run("auto").notes[0]
    with pytest.raises(MemoryError, match="memory is too small"):
        run("cuda")


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (OutOfMemoryError("Out of memory allocating 9 bytes"), MemoryError, "memory is too small"),
        (CUDARuntimeError("cudaErrorLaunchFailure"), RuntimeError, "The GPU failed"),
    ],
)
def test_a_gpu_that_fails_on_the_way_leaves_the_work_to_the_cpu(monkeypatch, error, kind, message):
    with_cupy(monkeypatch, fake_cupy())
    original = probe.decide_labellings

    def settle(X, Y, device, *rest):
        if device is not CPU:
            raise error
        return original(X, Y, device, *rest)

    monkeypatch.setattr(probe, "decide_labellings", settle)
    found = run("auto")
    assert found.device == "cpu"
    assert message in found.notes[0]
    assert [row.verdict for row in found] == [row.verdict for row in run("cpu")]
    with pytest.raises(kind, match=message):
        run("cuda")


def test_an_error_of_ours_is_not_blamed_on_the_gpu(monkeypatch):
    with_cupy(monkeypatch, fake_cupy())

    def settle(*arguments):
        raise ZeroDivisionError

    monkeypatch.setattr(probe, "decide_labellings", settle)
    with pytest.raises(ZeroDivisionError):
        run("auto")


def test_proofs_of_the_gpu_are_repeated_and_a_false_one_is_an_error(monkeypatch):
    with_cupy(monkeypatch, fake_cupy())
    assert run("cuda").device == "cuda"
    original = probe.decide_labellings

    def settle(*arguments):
        found = original(*arguments)
        for outcome in found.outcomes:
            if outcome.weights is not None:
                outcome.weights[:] *= -1
        return found

    monkeypatch.setattr(probe, "decide_labellings", settle)
    with pytest.raises(RuntimeError, match="do not hold on the CPU"):
        run("cuda")


def test_other_devices_are_refused():
    with pytest.raises(novikoff.NovikoffError, match="device must be one of"):
        choose_device("tpu")


class Tensor:
    """A tensor of another library on the CPU, as torch has them."""

    def __init__(self, values):
        self.values = values

    def detach(self):
        return self

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype=dtype)


def test_a_tensor_on_the_cpu_is_read_as_it_is():
    found = novikoff.probe(Tensor(X), Y, device="cpu", controls=0, progress=False)
    assert novikoff.verify(found["first"].certificate(), X, Y["first"]).valid


def test_an_array_of_the_array_api_is_read_as_it_is():
    found = novikoff.probe(strict.asarray(X), Y, device="cpu", controls=0, progress=False)
    assert novikoff.verify(found["first"].certificate(), X, Y["first"]).valid


class OnlyDLPack:
    """A tensor that says nothing but what DLPack asks."""

    def __dlpack__(self, **options):
        return X.__dlpack__(**options)

    def __dlpack_device__(self):
        return X.__dlpack_device__()


def test_a_tensor_that_only_dlpack_can_read_is_read():
    found = novikoff.probe(OnlyDLPack(), Y, device="cpu", controls=0, progress=False)
    assert novikoff.verify(found["first"].certificate(), X, Y["first"]).valid


class BrainFloats(Tensor):
    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")


def test_bfloat16_is_refused_with_advice():
    with pytest.raises(novikoff.NovikoffError, match=r"give X\.float\(\)"):
        novikoff.probe(BrainFloats(X), Y, device="cpu", progress=False)
