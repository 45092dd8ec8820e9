"""The text that Kineto writes for one event, as %-templates with open slots for times and ids.

Two layouts exist since times became nanoseconds: the one of torch 2.4 to 2.12, several fields on a line,
and the one of torch 2.13, one field on a line. Both keep the order of the slots the same:

    complete event   [name slots] ts dur [args slots]
    instant event    ts [args slots]
    flow             id ts
"""


def literal(text):
    """Text that holds no slots."""
    return text.replace("%", "%%")


class FieldsOnALine:
    """torch 2.4 to 2.12."""

    metadata_first = False
    head = '\n  {\n    "schemaVersion": 1,\n    "deviceProperties": [%s\n    ],%s\n'
    head_key = '\n      "%s": %s,'
    head_end = '  "displayTimeUnit": "ms",\n  "baseTimeNanoseconds": %d,\n  "traceEvents": ['
    tail = '\n  ],\n  "traceName": "%s"\n}'

    def complete(self, category, name, pid, tid, args):
        return (
            f'\n  {{\n    "ph": "X", "cat": "{category}", "name": "{name}", "pid": {pid}, "tid": {tid},'
            f'\n    "ts": %.3f, "dur": %.3f,\n    "args": {{\n      {args}\n    }}\n  }},'
        )

    def instant(self, name, pid, tid, args):
        return (
            f'\n  {{\n    "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "{name}",'
            f'\n    "pid": {pid}, "tid": {tid},\n    "ts": %.3f,\n    "args": {{\n      {args}\n    }}\n  }},'
        )

    def flow(self, phase, name, pid, tid):
        bound = ', "bp": "e"' if phase == "f" else ""
        return (
            f'\n  {{\n    "ph": "{phase}", "id": %d, "pid": {pid}, "tid": {tid}, "ts": %.3f,'
            f'\n    "cat": "{name}", "name": "{name}"{bound}\n  }},'
        )

    def metadata(self, name, ts, pid, tid, args):
        return (
            f'\n  {{\n    "name": "{name}", "ph": "M", "ts": {ts:.3f}, "pid": {pid}, "tid": {tid},'
            f'\n    "args": {{\n      {args}\n    }}\n  }},'
        )

    def span(self, ts, dur):
        return (
            f'\n  {{\n    "ph": "X", "cat": "Trace", "ts": {ts:.3f}, "dur": {dur:.3f},'
            '\n    "pid": "Spans", "tid": "PyTorch Profiler",\n    "name": "PyTorch Profiler (0)",'
            '\n    "args": {\n      "Op count": 0\n    }\n  },'
            f'\n  {{\n    "name": "process_sort_index", "ph": "M", "ts": {ts:.3f},'
            '\n    "pid": "Spans", "tid": 0,\n    "args": {\n      "sort_index": 536870912\n    }\n  },'
            '\n  {\n    "name": "Iteration Start: PyTorch Profiler", "ph": "i", "s": "g",'
            f'\n    "pid": "Traces", "tid": "Trace PyTorch Profiler", "ts": {ts:.3f}\n  }},'
        )

    def window_end(self, ts):
        return (
            '\n  {\n    "name": "Record Window End", "ph": "i", "s": "g",'
            f'\n    "pid": "", "tid": "", "ts": {ts:.3f}\n  }}'
        )


class FieldOnEachLine:
    """torch 2.13."""

    metadata_first = True
    head = ' {\n    "schemaVersion": 1,\n    "deviceProperties": [%s],\n    %s\n'
    head_key = '\n      "%s": %s,'
    head_end = '    "displayTimeUnit": "ms",\n    "baseTimeNanoseconds": %d,\n    "traceEvents": [\n    '
    tail = '\n  ],"traceName": "%s" }'

    def complete(self, category, name, pid, tid, args):
        return (
            f'\n  {{\n    "ph": "X",\n    "cat": "{category}",\n    "name": "{name}",\n    "pid": {pid},'
            f'\n    "tid": {tid},\n    "ts": %.3f,\n    "dur": %.3f'
            f'\n    ,\n    "args": {{\n      {args}\n    }}\n  }},'
        )

    def instant(self, name, pid, tid, args):
        return (
            f'\n  {{\n    "ph": "i",\n    \n    "cat": "cpu_instant_event",\n    "s": "t",\n    "name": "{name}",'
            f'\n    "pid": {pid},\n    "tid": {tid},\n    "ts": %.3f'
            f'\n    ,\n    "args": {{\n      {args}\n    }}\n  }},'
        )

    def flow(self, phase, name, pid, tid):
        bound = ', "bp": "e"' if phase == "f" else ""
        return (
            f'\n  {{\n    "ph": "{phase}",\n    "id": %d,\n    "pid": {pid},\n    "tid": {tid},\n    "ts": %.3f,'
            f'\n    "cat": "{name}",\n    "name": "{name}"\n    {bound}\n  }},'
        )

    def metadata(self, name, ts, pid, tid, args):
        return (
            f'\n  {{\n    "ph": "M",\n    "name": "{name}",\n    "ts": {ts:.3f},\n    "pid": {pid},'
            f'\n    "tid": {tid},\n    "args": {{\n      {args}\n    }}\n  }},'
        )

    def span(self, ts, dur):
        return (
            '\n  {\n    "ph": "X",\n    "cat": "Trace",\n    "name": "PyTorch Profiler (0)",\n    "pid": "Spans",'
            f'\n    "tid": "PyTorch Profiler",\n    "ts": {ts:.3f},\n    "dur": {dur:.3f}'
            '\n    ,\n    "args": {\n      "Op count": 0\n    }\n  },'
            + self.metadata("process_sort_index", ts, '"Spans"', 0, '"sort_index": 536870912')
            + '\n  {\n    "ph": "i",\n    \n    "s": "g",\n    "name": "Iteration Start: PyTorch Profiler",'
            f'\n    "pid": "Traces",\n    "tid": "Trace PyTorch Profiler",\n    "ts": {ts:.3f}\n    \n  }},'
        )

    def window_end(self, ts):
        return (
            '\n  {\n    "ph": "i",\n    \n    "s": "g",\n    "name": "Record Window End",\n    "pid": "",'
            f'\n    "tid": "",\n    "ts": {ts:.3f}\n    \n  }}'
        )


LAYOUTS = {"2.12": FieldsOnALine, "2.13": FieldOnEachLine}


def device_properties(index):
    return (
        f'\n    {{\n      "id": {index}, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85029158912,'
        '\n      "computeMajor": 9, "computeMinor": 0,'
        '\n      "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048,'
        '\n      "regsPerBlock": 65536, "warpSize": 32,'
        '\n      "sharedMemPerBlock": 49152, "numSms": 132'
        '\n    , "regsPerMultiprocessor": 65536, "sharedMemPerBlockOptin": 232448, '
        '"sharedMemPerMultiprocessor": 233472\n    }'
    )


def distributed_info(rank, world_size):
    ranks = ", ".join(map(str, range(world_size)))
    return (
        f'{{"backend": "nccl", "rank": {rank}, "world_size": {world_size}, "pg_count": 1, "pg_config": '
        f'[{{"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "pg_size": {world_size}, '
        f'"ranks": [{ranks}]}}], "nccl_version": "2.27.5"}}'
    )


# Arguments ------------------------------------------------------------------------------------------------


class Tensor:
    def __init__(self, *shape, dtype="c10::BFloat16"):
        self.shape, self.dtype = shape, dtype

    @property
    def strides(self):
        strides, step = [], 1
        for extent in reversed(self.shape):
            strides.append(step)
            step *= extent
        return tuple(reversed(strides))

    @property
    def elements(self):
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def bytes(self):
        return self.elements * (2 if self.dtype == "c10::BFloat16" else 8 if "long" in self.dtype else 4)

    def as_input(self):
        return '""', f'"{self.dtype}"', _brackets(self.strides), _brackets(self.shape)


class Scalar:
    def __init__(self, value):
        self.value = value

    def as_input(self):
        kind = "ScalarList" if isinstance(self.value, list) else "Scalar"
        return f'"{self.value}"', f'"{kind}"', "[]", "[]"


class Tensors:
    """A list of tensors, as the foreach operators and collectives take it."""

    def __init__(self, tensors):
        self.tensors = tensors

    def as_input(self):
        strides = ", ".join(_brackets(t.strides) for t in self.tensors)
        shapes = ", ".join(_brackets(t.shape) for t in self.tensors)
        return '""', '"TensorList"', f"[{strides}]", f"[{shapes}]"


class Nothing:
    def as_input(self):
        return '""', '""', "[]", "[]"


def _brackets(numbers):
    return "[" + ", ".join(map(str, numbers)) + "]"


def operator_inputs(inputs):
    """The four lists that record_shapes=True adds to an operator."""
    if not inputs:
        return ""
    concrete, types, strides, dims = (", ".join(column) for column in zip(*(i.as_input() for i in inputs), strict=True))
    return (
        f'"Concrete Inputs": [{concrete}], "Input type": [{types}], '
        f'"Input Strides": [{strides}], "Input Dims": [{dims}], '
    )


def kernel_args(grid, block, registers, shared_memory, stream, extra=""):
    """Slots: external id, correlation."""
    blocks = grid[0] * grid[1] * grid[2] / 132
    warps = blocks * (block[0] * block[1] * block[2]) / 32
    occupancy = min(100, int(0.5 + warps * 100 / 64))
    return (
        f'"External id": %d,      "queued": 0, "device": {{device}}, "context": 1,      "stream": {stream}, '
        f'"correlation": %d,      "registers per thread": {registers},      "shared memory": {shared_memory},      '
        f'"blocks per SM": {blocks:f},      "warps per SM": {warps:f},      '
        f'"grid": [{grid[0]}, {grid[1]}, {grid[2]}],      "block": [{block[0]}, {block[1]}, {block[2]}],      '
        f'"est. achieved occupancy %%": {occupancy}{extra}'
    )
