"""One training step of a Llama-like model under DDP with checkpointing, written down as a recorder sees it."""

from contextlib import contextmanager

import vocabulary
from kineto_text import Nothing, Scalar, Tensor, Tensors
from recorder import COMM_STREAM, COPY_STREAM, Recorder, Step


class TrainingStep(Recorder):
    def __init__(self, layout, rng, pid, device, world_size, layers, batch, length):
        super().__init__(layout, rng, pid, device)
        self.world_size, self.layers, self.batch, self.length = world_size, layers, batch, length
        self.hidden, self.heads, self.inner, self.words = 2048, 16, 5632, 32000
        self.module_instances = {}
        self.tape = []  # what backward has to undo: (node, sequence row, tensor, kind)

    # Operators

    def leaf(self, name, *inputs):
        with self.op(name, *inputs):
            pass

    def empty(self, out):
        with self.op(
            "aten::empty_strided",
            Scalar(list(out.shape)),
            Scalar(list(out.strides)),
            Scalar(15),
            Scalar(0),
            Scalar(f"cuda:{self.device}"),
            Nothing(),
        ):
            self.allocate(out)

    def elementwise(self, name, out, *inputs, undo=None):
        """One operator, one kernel; `undo` names the backward node."""
        with self.op(name, *inputs, replay=self.remember(undo, out) if undo else None):
            if self.rng.random() < 0.5:
                self.allocate(out)
            self.kernel(vocabulary.elementwise_kernel(name, out.dtype), out.elements, 1100 + out.elements // 3000)

    def remember(self, node, out, undo=None):
        """Notes a forward operator for backward; returns its row among the sequence numbers."""
        row = self.counts["seq"]
        self.counts["seq"] += 1
        self.tape.append((node, row, out, undo))
        return row

    def view(self, name, tensor, *rest, undo=None):
        with self.op(name, tensor, *rest, replay=self.remember(undo, tensor, "view") if undo else None):
            if name in ("aten::transpose", "aten::expand", "aten::slice"):
                self.leaf(
                    "aten::as_strided", tensor, Scalar(list(tensor.shape)), Scalar(list(tensor.strides)), Nothing()
                )

    def cast(self, tensor, undo="ToCopyBackward0"):
        target = Tensor(*tensor.shape)
        inputs = (tensor, Scalar(15), Nothing(), Nothing(), Nothing(), Scalar(False), Scalar(False), Nothing())
        with self.op("aten::to", *inputs[:-1], replay=self.remember(undo, tensor, "cast")):
            with self.op("aten::_to_copy", *inputs):
                self.empty(target)
                with self.op("aten::copy_", target, tensor, Scalar(False)):
                    self.kernel(
                        vocabulary.elementwise_kernel("aten::copy_", tensor.dtype),
                        tensor.elements,
                        1100 + tensor.elements // 4000,
                    )

    def matmul(self, out, left, right, replay=None):
        with self.op("aten::mm", left, right, replay=replay):
            self.allocate(out)
            work = left.elements * out.shape[-1]
            self.kernel(vocabulary.gemm_kernel(self.rng, out.shape[-1]), out.elements, 3000 + work // 5_000_000)

    # Modules, forward

    @contextmanager
    def module(self, kind, source):
        instance = self.module_instances.get(kind, 0)
        self.module_instances[kind] = instance + 1
        with self.frame(f"nn.Module: {kind}_{instance}", module=instance + 1):
            with self.frame("torch/nn/modules/module.py(1784): _call_impl"):
                self.attributes(self.rng.randrange(3))
                self.touch("<built-in function _get_tracing_state>")
                with self.frame(source):
                    yield

    def attributes(self, count):
        for _ in range(count):
            self.touch("torch/nn/modules/module.py(1938): __getattr__")

    def linear(self, rows, inside, outside):
        x, weight = Tensor(*rows, inside), Tensor(outside, inside, dtype="float")
        flat = Tensor(rows[0] * rows[1], inside)
        with self.module("Linear", "torch/nn/modules/linear.py(130): forward"):
            self.attributes(2)
            with self.frame("<built-in function linear>"):
                self.cast(weight)
                with self.op("aten::linear", x, Tensor(outside, inside), Nothing()):
                    with self.op(
                        "aten::t", Tensor(outside, inside), replay=self.remember("TBackward0", weight, "view")
                    ):
                        self.view("aten::transpose", Tensor(outside, inside), Scalar(0), Scalar(1))
                    with self.op("aten::matmul", x, Tensor(inside, outside)):
                        self.view("aten::view", x, Scalar(list(flat.shape)), undo="ViewBackward0")
                        out = Tensor(flat.shape[0], outside)
                        self.matmul(out, flat, Tensor(inside, outside), self.remember("MmBackward0", weight, "linear"))
                        self.view("aten::_unsafe_view", out, Scalar([*rows, outside]), undo="UnsafeViewBackward0")

    def norm(self, rows):
        x, x32 = Tensor(*rows, self.hidden), Tensor(*rows, self.hidden, dtype="float")
        scale = Tensor(*rows, 1, dtype="float")
        with self.module("LlamaRMSNorm", "transformers/models/llama/modeling_llama.py(64): forward"):
            with self.frame(f"<built-in method to of Tensor object at {vocabulary.address(self.rng)}>"):
                self.cast(x32)
            with self.frame(f"<built-in method pow of Tensor object at {vocabulary.address(self.rng)}>"):
                with self.op("aten::pow", x32, Scalar(2), replay=self.remember("PowBackward0", x32)):
                    self.allocate(x32)
                    self.kernel(vocabulary.elementwise_kernel("aten::pow", "float"), x32.elements, 2100)
            with self.frame(f"<built-in method mean of Tensor object at {vocabulary.address(self.rng)}>"):
                with self.op(
                    "aten::mean",
                    x32,
                    Scalar([-1]),
                    Scalar(True),
                    Nothing(),
                    replay=self.remember("MeanBackward1", scale),
                ):
                    self.kernel(vocabulary.reduce_kernel("Mean"), x32.elements, 5400)
            self.elementwise("aten::add", scale, scale, Scalar(1e-05), Scalar(1), undo="AddBackward0")
            with self.frame("<built-in method rsqrt of type object at 0x7f2c5a1fe3a0>"):
                self.elementwise("aten::rsqrt", scale, scale, undo="RsqrtBackward0")
            self.elementwise("aten::mul", x32, x32, scale, undo="MulBackward0")
            self.attributes(1)
            self.elementwise("aten::mul", x, Tensor(self.hidden), x, undo="MulBackward0")

    def rotate(self, query):
        half = Tensor(*query.shape[:-1], query.shape[-1] // 2)
        with self.frame("transformers/models/llama/modeling_llama.py(140): rotate_half"):
            for start in (0, half.shape[-1]):
                self.view(
                    "aten::slice",
                    query,
                    Scalar(3),
                    Scalar(start),
                    Scalar(9223372036854775807),
                    Scalar(1),
                    undo="SliceBackward0",
                )
            self.elementwise("aten::neg", half, half, undo="NegBackward0")
            with self.frame("<built-in method cat of type object at 0x7f2c5a1fe3a0>"):
                with self.op(
                    "aten::cat", Tensors([half, half]), Scalar(-1), replay=self.remember("CatBackward0", query)
                ):
                    self.allocate(query)
                    self.kernel(vocabulary.cat_kernel(), query.elements, 3900)
        self.elementwise("aten::mul", query, query, query, undo="MulBackward0")
        self.elementwise("aten::add", query, query, query, Scalar(1), undo="AddBackward0")

    def attention(self, rows):
        head = self.hidden // self.heads
        query = Tensor(rows[0], self.heads, rows[1], head)
        with self.module("LlamaAttention", "transformers/models/llama/modeling_llama.py(236): forward"):
            for _ in "qkv":
                self.attributes(1)
                self.linear(rows, self.hidden, self.hidden)
                self.view("aten::view", Tensor(*rows, self.hidden), Scalar([*rows, -1, head]), undo="ViewBackward0")
                self.view(
                    "aten::transpose",
                    Tensor(*rows, self.heads, head),
                    Scalar(1),
                    Scalar(2),
                    undo="TransposeBackward0",
                )
            with self.frame("transformers/models/llama/modeling_llama.py(148): apply_rotary_pos_emb"):
                for _ in "qk":
                    self.elementwise("aten::mul", query, query, query, undo="MulBackward0")
                    self.rotate(query)
            with self.frame("transformers/integrations/sdpa_attention.py(40): sdpa_attention_forward"):
                self.touch("<built-in function isinstance>")
                self.touch("<built-in function hasattr>")
                with self.frame("<built-in function scaled_dot_product_attention>"):
                    inputs = (query, query, query, Nothing(), Scalar(0.0), Scalar(True), Nothing(), Scalar(False))
                    with self.op("aten::scaled_dot_product_attention", *inputs):
                        with self.op(
                            "aten::_scaled_dot_product_flash_attention",
                            *inputs[:3],
                            Scalar(0.0),
                            Scalar(True),
                            Scalar(False),
                            Nothing(),
                            replay=self.remember("ScaledDotProductFlashAttentionBackward0", query, "attention"),
                        ):
                            with self.op(
                                "aten::_flash_attention_forward",
                                *inputs[:3],
                                Nothing(),
                                Nothing(),
                                Scalar(rows[1]),
                                Scalar(rows[1]),
                                Scalar(0.0),
                                Scalar(True),
                                Scalar(False),
                            ):
                                self.empty(query)
                                self.kernel(vocabulary.FLASH_FORWARD, query.elements, 38_000)
                self.view("aten::transpose", query, Scalar(1), Scalar(2), undo="TransposeBackward0")
            self.view("aten::reshape", query, Scalar([*rows, -1]), undo="ReshapeAliasBackward0")
            self.linear(rows, self.hidden, self.hidden)

    def feed_forward(self, rows):
        wide = Tensor(*rows, self.inner)
        with self.module("LlamaMLP", "transformers/models/llama/modeling_llama.py(172): forward"):
            self.linear(rows, self.hidden, self.inner)
            with self.module("SiLU", "torch/nn/modules/activation.py(472): forward"):
                with self.frame("torch/nn/functional.py(2389): silu"):
                    self.touch("<built-in function _has_torch_function_unary>")
                    self.elementwise("aten::silu", wide, wide, undo="SiluBackward0")
            self.linear(rows, self.hidden, self.inner)
            self.elementwise("aten::mul", wide, wide, wide, undo="MulBackward0")
            self.linear(rows, self.inner, self.hidden)

    def decoder_layer(self, rows):
        x = Tensor(*rows, self.hidden)
        with self.module("LlamaDecoderLayer", "transformers/models/llama/modeling_llama.py(291): forward"):
            self.norm(rows)
            self.attention(rows)
            self.elementwise("aten::add", x, x, x, Scalar(1), undo="AddBackward0")
            self.norm(rows)
            self.feed_forward(rows)
            self.elementwise("aten::add", x, x, x, Scalar(1), undo="AddBackward0")
        self.small_talk(3)

    def small_talk(self, count):
        """Calls of the program around the model, another set in each step."""
        for _ in range(count):
            with self.frame("", free=True):
                for _ in range(self.rng.randrange(4)):
                    with self.frame("", free=True):
                        if self.rng.random() < 0.3:
                            with self.frame("", free=True):
                                pass

    # Backward, on the autograd thread

    def backward(self):
        bucket = 0
        with self.on_thread(self.autograd):
            for node, row, out, undo in reversed(self.tape):
                with self.op(f"autograd::engine::evaluate_function: {node}", record=row):
                    with self.op(node, out, record=row):
                        self.backward_body(undo, out)
                    self.release()
                if undo == "cast" and out.dtype == "float" and len(out.shape) == 2:
                    bucket += out.elements
                    self.accumulate(out)
                    if bucket > 13_000_000:
                        self.all_reduce(bucket)
                        bucket = 0
            if bucket:
                self.all_reduce(bucket)
        self.tape.clear()

    def backward_body(self, undo, out):
        if undo == "view":
            self.view("aten::view", out, Scalar(list(out.shape)))
        elif undo == "cast":
            with self.op("aten::to", out, Scalar(6), Scalar(False), Scalar(False), Nothing()):
                with self.op(
                    "aten::_to_copy", out, Scalar(6), Scalar(0), Nothing(), Nothing(), Scalar(False), Nothing()
                ):
                    self.empty(out)
                    self.elementwise("aten::copy_", out, out, out, Scalar(False))
        elif undo == "linear":
            outside, inside = out.shape
            rows = self.batch * self.length
            for result, left, right in (
                (Tensor(rows, inside), Tensor(rows, outside), Tensor(outside, inside)),
                (Tensor(outside, inside), Tensor(outside, rows), Tensor(rows, inside)),
            ):
                with self.op("aten::t", right):
                    self.view("aten::transpose", right, Scalar(0), Scalar(1))
                self.matmul(result, left, right)
        elif undo == "attention":
            with self.op("aten::_scaled_dot_product_flash_attention_backward", *([out] * 5), Scalar(0.0), Scalar(True)):
                self.empty(out)
                self.copy("Memset (Device)", 4 * out.elements // out.shape[-1], 2200)
                for kernel in vocabulary.FLASH_BACKWARD:
                    self.kernel(kernel, out.elements, 30_000)
        else:
            self.elementwise("aten::mul", out, out, out)
            if self.rng.random() < 0.4:
                self.elementwise("aten::sum", out, out, Scalar([0, 1]), Scalar(True), Nothing())

    def accumulate(self, grad):
        name = "torch::autograd::AccumulateGrad"
        with self.op(f"autograd::engine::evaluate_function: {name}"):
            with self.op(name, grad):
                self.leaf("aten::detach", grad)
                with self.op("aten::div", grad, Tensor(dtype="double")):
                    self.kernel(vocabulary.elementwise_kernel("aten::div", "float"), grad.elements, 3300)
                with self.op("aten::copy_", grad, grad, Scalar(False)):
                    self.copy("Memcpy DtoD (Device -> Device)", grad.bytes, 6000)
        self.runtime("cudaEventRecordWithFlags", 335, 900)

    def all_reduce(self, elements):
        ranks = ", ".join(map(str, range(self.world_size)))
        shared = (
            f'"Collective name": "allreduce", "In msg nelems": {elements}, "Out msg nelems": {elements}, '
            f'"Group size": {self.world_size}, "dtype": "Float"'
        )
        group = (
            f'"Process Group Name": "0", "Process Group Description": "default_pg", "Process Group Ranks": "[{ranks}]"'
        )
        bucket = Tensor(elements, dtype="float")
        with self.op("c10d::allreduce_", Tensors([bucket]), Nothing(), Nothing(), Nothing(), Scalar(False), Scalar(-1)):
            with self.op("nccl:all_reduce", bucket, category="user_annotation"):
                metadata = (
                    shared
                    + ', "In split size": "[]", "Out split size": "[]", '
                    + group
                    + f', "Rank": {self.device}, "Global rank start": 0, "Global rank stride": 1, '
                )
                with self.op("record_param_comms", Tensors([bucket]), metadata=metadata):
                    self.runtime("cudaStreamIsCapturing", 317, 500)
                    self.runtime("cudaStreamWaitEvent", 147, 900)
                    self.kernel(
                        vocabulary.ALL_REDUCE,
                        24 * 640,
                        60_000 + elements // 120,
                        COMM_STREAM,
                        f', {shared}, "In split size": "[]", "Out split size": "[]", {group}',
                    )
                    self.runtime("cudaEventRecordWithFlags", 335, 900)
        with self.on_thread(self.watchdog):
            for _ in range(3):
                self.runtime("cudaEventQuery", 136, 700)

    # The step

    def batch_arrives(self):
        with self.op("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", category="user_annotation"):
            with self.frame("torch/utils/data/dataloader.py(733): __next__"):
                with self.frame("torch/utils/data/dataloader.py(1491): _next_data"):
                    with self.frame("torch/utils/data/dataloader.py(1432): _get_data"):
                        self.small_talk(4)
        tokens = Tensor(self.batch, self.length, dtype="long int")
        for _ in range(2):
            with self.frame(f"<built-in method to of Tensor object at {vocabulary.address(self.rng)}>"):
                with self.op("aten::to", tokens, Scalar(4), Scalar(0), Scalar(f"cuda:{self.device}"), Nothing()):
                    with self.op("aten::_to_copy", tokens, Scalar(4), Scalar(0), Scalar(f"cuda:{self.device}")):
                        self.empty(tokens)
                        with self.op("aten::copy_", tokens, tokens, Scalar(True)):
                            self.copy("Memcpy HtoD (Pinned -> Device)", tokens.bytes, 9000, COPY_STREAM)

    def optimizer(self):
        weights = [
            Tensor(*shape, dtype="float")
            for _ in range(self.layers)
            for shape in (
                *[(self.hidden, self.hidden)] * 4,
                *[(self.inner, self.hidden)] * 2,
                (self.hidden, self.inner),
                (self.hidden,),
                (self.hidden,),
            )
        ]
        first = len(self.launches)
        with self.frame("torch/optim/optimizer.py(485): wrapper"):
            with self.op("Optimizer.step#AdamW.step", category="user_annotation"):
                with self.frame("torch/optim/adam.py(213): step"):
                    with self.frame("torch/optim/adam.py(135): _init_group"):
                        for _ in weights:
                            self.touch("<built-in function is_complex>")
                            self.touch(f"<built-in method get of dict object at {vocabulary.address(self.rng)}>")
                            self.touch("torch/_tensor.py(1136): __hash__")
                            self.touch("<built-in function id>")
                            for _ in range(5):
                                self.touch(f"<built-in method append of list object at {vocabulary.address(self.rng)}>")
                    with self.frame("torch/optim/adam.py(584): _multi_tensor_adam"):
                        for start in range(0, len(weights), 30):
                            self.foreach(Tensors(weights[start : start + 30]))
        self.annotate("Optimizer.step#AdamW.step", first)
        with self.op("Optimizer.zero_grad#AdamW.zero_grad", category="user_annotation"):
            with self.frame("torch/optim/optimizer.py(978): zero_grad"):
                for _ in weights:
                    self.touch("<built-in method get of dict object at 0x7f2b93c41a80>")
                    self.touch("torch/utils/_foreach_utils.py(38): _has_foreach_support")
                for _ in range(len(weights) // 3):
                    self.release()

    def foreach(self, group):
        for name in vocabulary.FOREACH:
            with self.frame(f"<built-in method {name} of type object at 0x7f2c5a1fe3a0>"):
                with self.op(f"aten::{name}", group, Scalar(0.9)):
                    self.kernel(vocabulary.multi_tensor_kernel(name), 320 * 512 * 8, 95_000)

    def build(self):
        rows = (self.batch, self.length)
        with self.op("ProfilerStep#%d", category="user_annotation", name_slots=(("step", 0),)):
            with self.frame("train.py(142): train_step"):
                self.batch_arrives()
                with self.module("DistributedDataParallel", "torch/nn/parallel/distributed.py(1661): forward"):
                    with self.op("DistributedDataParallel.forward", category="user_annotation"):
                        with self.module(
                            "LlamaForCausalLM", "transformers/models/llama/modeling_llama.py(438): forward"
                        ):
                            with self.module("LlamaModel", "transformers/models/llama/modeling_llama.py(355): forward"):
                                for _ in range(self.layers):
                                    self.decoder_layer(rows)
                                self.norm(rows)
                            self.linear(rows, self.hidden, self.words)
                with self.frame("torch/_tensor.py(592): backward"):
                    with self.frame("torch/autograd/__init__.py(246): backward"):
                        with self.frame("torch/autograd/graph.py(815): _engine_run_backward"):
                            self.backward()
                self.optimizer()
                with self.frame(f"<built-in method item of Tensor object at {vocabulary.address(self.rng)}>"):
                    with self.op("aten::item", Tensor(dtype="float")):
                        with self.op("aten::_local_scalar_dense", Tensor(dtype="float")):
                            self.copy("Memcpy DtoH (Device -> Pageable)", 4, 1900)
                            self.runtime("cudaStreamSynchronize", 131, 900_000)
                self.small_talk(12)
        self.annotate("ProfilerStep#%d", 0)
        while self.allocations:
            self.allocations.pop()
        return Step(self)
