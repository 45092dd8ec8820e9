"""Names as they occur in real traces: Python frames and device kernels, about three thousand of them."""

import zlib

_PACKAGES = {
    "torch/utils/data/_utils": ("fetch", "collate", "pin_memory", "worker", "signal_handling"),
    "torch/utils": ("_pytree", "_python_dispatch", "checkpoint", "hooks", "weak", "_contextlib"),
    "torch/distributed": ("distributed_c10d", "utils", "rendezvous", "_functional_collectives", "device_mesh"),
    "torch/amp": ("autocast_mode", "grad_scaler"),
    "torch": ("_tensor", "_jit_internal", "_utils", "_ops", "overrides", "storage", "functional", "random"),
    "torch/cuda": ("__init__", "streams", "memory", "nvtx", "_utils"),
    "transformers": ("modeling_utils", "configuration_utils", "cache_utils", "masking_utils", "trainer_callback"),
    "transformers/models/llama": ("modeling_llama", "configuration_llama", "tokenization_llama_fast"),
    "datasets": ("arrow_dataset", "table", "fingerprint", "iterable_dataset"),
    "datasets/formatting": ("formatting", "torch_formatter", "np_formatter"),
    "numpy/core": ("numeric", "fromnumeric", "_methods", "shape_base"),
    "accelerate": ("accelerator", "data_loader", "optimizer", "state"),
    "wandb/sdk": ("wandb_run", "interface", "wandb_settings"),
    "logging": ("__init__", "handlers"),
    "": ("train", "threading", "queue", "selectors", "weakref", "contextlib", "copy", "typing", "dataclasses"),
}
_FUNCTIONS = (
    "__init__ __call__ __enter__ __exit__ __iter__ __next__ __getitem__ __setitem__ __len__ __contains__ "
    "get put update collate fetch to_device _apply wait notify acquire release flush format emit handle "
    "_validate _prepare _wrap _unwrap build load state_dict register on_step_end log_metrics decorate_context"
).split()
_BUILTINS = (
    "append get items keys values pop extend index join split format encode decode read write acquire release "
    "clone detach size dim stride view contiguous numel is_contiguous untyped_storage data_ptr"
).split()


def _hash(text):
    return zlib.crc32(text.encode())


def _frames():
    frames = []
    for package, modules in _PACKAGES.items():
        for module in modules:
            for function in _FUNCTIONS:
                path = f"{package}/{module}.py" if package else f"{module}.py"
                frames.append(f"{path}({1 + _hash(path + function) % 2400}): {function}")
    for number, method in enumerate(_BUILTINS * 20):
        kind = ("list", "dict", "Tensor", "str", "_thread.lock")[number % 5]
        frames.append(f"<built-in method {method} of {kind} object at 0x7f2b{_hash(method + str(number)):08x}>")
    return frames


FRAMES = _frames()


def address(rng):
    """One of a few addresses at which Python keeps making its short-lived objects."""
    return f"0x7f2b41{rng.randrange(48) * 0x150 + 0xA000:06x}"


_ANON = "at::native::(anonymous namespace)::"
_LAMBDA = (
    "(at::TensorIteratorBase&)::{{lambda()#2}}::operator()() const::{{lambda()#4}}"
    "::operator()() const::{{lambda({0})#1}}"
)
_FUNCTORS = {
    "aten::add": "at::native::CUDAFunctor_add<{0}>",
    "aten::mul": "at::native::BinaryFunctor<{0}, {0}, {0}, at::native::binary_internal::MulFunctor<{0}> >",
    "aten::div": "at::native::BUnaryFunctor<{0}, {0}, {0}, at::native::binary_internal::DivFunctor<{0}> >",
    "aten::neg": "at::native::neg_kernel_cuda" + _LAMBDA,
    "aten::rsqrt": "at::native::rsqrt_kernel_cuda" + _LAMBDA,
    "aten::silu": _ANON + "silu_kernel" + _LAMBDA,
    "aten::pow": _ANON + "pow_tensor_scalar_kernel_impl<{0}, {0}>(at::TensorIteratorBase&, {0})::{{lambda({0})#1}}",
}


def elementwise_kernel(op, dtype):
    ctype = dtype.removesuffix(" int")
    if op == "aten::sum":
        return reduce_kernel("Sum")
    if op == "aten::copy_":
        functor = "at::native::direct_copy_kernel_cuda" + _LAMBDA.format(ctype)
        return (
            f"void at::native::unrolled_elementwise_kernel<{functor}, std::array<char*, 2ul>, 4, "
            f"TrivialOffsetCalculator<1, unsigned int>, at::native::memory::LoadWithCast<1> >(int, {ctype})"
        )
    functor = _FUNCTORS[op].format(ctype)
    array = f"std::array<char*, {3 if op in ('aten::add', 'aten::mul') else 2}ul>"
    return f"void at::native::vectorized_elementwise_kernel<4, {functor}, {array} >(int, {functor}, {array})"


def reduce_kernel(kind):
    ops = f"at::native::{kind}Ops<float, float, float, float>"
    return f"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, {ops}, unsigned int, float, 4, 4> >()"


def cat_kernel():
    element = _ANON + "OpaqueType<2u>"
    return (
        f"void {_ANON}CatArrayBatchedCopy_alignedK_contig<{element}, unsigned int, 4, 64, 64, 16>"
        f"({element}*, int, unsigned int)"
    )


def gemm_kernel(rng, columns):
    tile = ("128x128x64", "128x256x64", "64x128x64", "256x128x64")[(columns // 2048) % 4]
    form = rng.choice(("tn_n", "tn_n", "nn_n", "nt_n"))
    if columns > 20000:
        return f"nvjet_tst_{tile.removesuffix('x64')}_64x6_2x1_v_bz_coopA_{form[:2].upper()}T"
    return (
        f"sm90_xmma_gemm_bf16bf16_bf16f32_f32_{form}_tilesize{tile}_warpgroupsize2x1x1_"
        "execute_segment_k_off_kernel__5x_cublas"
    )


def multi_tensor_kernel(name):
    functor = name.strip("_").title().replace("_", "") + "Functor<float, 2, 1, 0>"
    metadata = _ANON + "TensorListMetadata<2>"
    return f"void {_ANON}multi_tensor_apply_kernel<{metadata}, {_ANON}{functor}, float>({metadata}, float)"


def _flash_kernel(name, traits, tail):
    return (
        f"void pytorch_flash::flash_{name}_kernel<{traits}, false, false, cutlass::bfloat16_t>{tail}>"
        f"(pytorch_flash::Flash_{name[:3]}_params)"
    )


FOREACH = tuple(f"_foreach_{name}" for name in "add_ mul_ lerp_ addcmul_ sqrt div_ addcdiv_".split())
ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
FLASH_FORWARD = _flash_kernel("fwd", "Flash_fwd_kernel_traits<128, 128, 64, 4", ", false, true, false, true, true")
FLASH_BACKWARD = (
    _flash_kernel("bwd_dot_do_o", "true, Flash_bwd_kernel_traits<128, 64, 128, 8, 2, 4, 2", " "),
    _flash_kernel(
        "bwd_dq_dk_dv_loop_seqk_parallel", "Flash_bwd_kernel_traits<128, 64, 128, 8, 2, 4, 2", ", false, true, false"
    ),
    _flash_kernel("bwd_convert_dq", "Flash_bwd_kernel_traits<128, 64, 128, 8, 2, 4, 2", " "),
)


def block_of(name):
    return ((128, 1, 1), (256, 1, 1), (512, 1, 1), (32, 16, 1))[_hash(name) % 4]


def registers_of(name):
    return 16 + 2 * (_hash(name) % 120)


def shared_memory_of(name):
    return 0 if "elementwise" in name else 16 * (_hash(name) % 14000)
