"""Every finding that Skyline has about the shared traces, judged by a person: is it true, and is it of use?

RIGHT: true, and worth doing. SMALL: true, but hardly worth it. USELESS: true, but nobody would do it. A new finding
fails findings_test.py until it stands here; of USELESS ones a file may have one.
"""

from __future__ import annotations

RIGHT, SMALL, USELESS = "right", "small", "useless"
Judged = dict[str, tuple[str, str]]

FEW: Judged = {"steps.few": (RIGHT, "one step, or few that differ")}

JUDGED: dict[str, Judged] = {
    "kineto/a100_critical_path_alexnet.json.gz": {},
    "kineto/a100_critical_path_simple_add.json.gz": {},
    "kineto/a100_cupti_counters.json.gz": {},
    "kineto/a100_diff_control.json.gz": {
        "communication.exposed": (RIGHT, "19 % of the step is all-to-all and all-reduce that nothing hides"),
        "device.small_grids": (SMALL, "rowwise kernels of the embedding optimizer; a larger batch fills them"),
        "device.tf32": (RIGHT, "sgemm kernels on an A100"),
        "compute.fusible_chain": (SMALL, "pointwise operators between embeddings and linear layers"),
        "host.synchronisation": (RIGHT, "five .item() a step; the device has work queued, so it costs little"),
    },
    "kineto/a100_event_sync_multi_stream.json.gz": {
        "device.tensor_cores": (SMALL, "a float32 product on an A100, 2 % of a demonstration"),
    },
    "kineto/a100_triton_example.json.gz": FEW,
    "kineto/b200_eager.json.gz": {
        "device.launch_bound": (RIGHT, "decoding in eager mode: 768 kernels, half below 10 µs, device idle 86 %"),
        "host.synchronisation": (RIGHT, "flashinfer reads lengths of the batch"),
    },
    "kineto/cpu_only_gloo.json.gz": {
        "communication.exposed": (RIGHT, "gloo takes 85 % of the step"),
        **FEW,
    },
    "kineto/h100_qwen_inference.json.gz": {
        "compute.fusible_chain": (RIGHT, "RMS norm from single operators"),
        "device.small_grids": (SMALL, "small kernels of rotary embeddings"),
        "host.synchronisation": (RIGHT, "the attention mask is looked into once"),
        **FEW,
    },
    "kineto/mi210_gpu_only.json.gz": {
        "device.layout": (RIGHT, "batched_transpose around convolutions takes 14 %"),
    },
    "kineto/mi250_train.json.gz": FEW,
    "kineto/mi300_qwen_inference.json.gz": {
        "compute.fusible_chain": (RIGHT, "residual additions and norms from single operators"),
        "host.synchronisation": (RIGHT, "the attention mask is looked into once"),
        **FEW,
    },
    "kineto/mi300_resnet_train_act_checkpoint.json.gz": {
        "communication.exposed": (RIGHT, "rank 0 waits in all-reduce for 70 % of the step"),
        "device.layout": (RIGHT, "batched_transpose around convolutions"),
        "compute.fusible_chain": (SMALL, "addition and relu of residual blocks"),
    },
    "kineto/mi300_torch_compile_triton.json.gz": {},
    "kineto/mi300_vllm_graph_execution.json.gz": {},
    "kineto/no_rank_metadata.json.gz": FEW,
    "kineto/v100_ddp_resnet_ns.json.gz": {
        "device.tensor_cores": (RIGHT, "ResNet in float32 on a V100"),
        "compute.fusible_chain": (SMALL, "addition and relu of residual blocks"),
        **FEW,
    },
    "kineto/v100_diff_test.json.gz": {
        "communication.exposed": (RIGHT, "11 % of the step"),
        "device.tensor_cores": (RIGHT, "linear layers in float32 on a V100"),
        "compute.fusible_chain": (SMALL, "pointwise operators between linear layers"),
        "host.synchronisation": (RIGHT, "five .item() a step"),
        **FEW,
    },
    "kineto/v100_resnet50_workers0.json.gz": {
        "input.workers": (RIGHT, "the lesson of this trace: num_workers=0 and 33 % of the step"),
        "device.tensor_cores": (RIGHT, "ResNet-50 in float32 on a V100"),
        "compute.fusible_chain": (SMALL, "addition and relu of residual blocks"),
        "input.pageable_copies": (RIGHT, "batches are copied from pageable memory"),
        "optimizer.gradients_zeroed": (SMALL, "torch 1.9 filled gradients with zeros by default"),
    },
    "kineto/v100_resnet50_workers4.json.gz": {
        "device.tensor_cores": (RIGHT, "ResNet-50 in float32 on a V100"),
        "device.launch_bound": (SMALL, "the device idles while the host recorded stacks"),
        "compute.fusible_chain": (SMALL, "addition and relu of residual blocks"),
        "input.blocking_copies": (RIGHT, "the host waits for copies from pageable memory"),
        "optimizer.gradients_zeroed": (SMALL, "torch 1.9 filled gradients with zeros by default"),
        **FEW,
    },
}

# Of eight ranks with one step each; not every rank has all.
JUDGED_OF_RANKS: Judged = {
    "device.launch_bound": (RIGHT, "half of the kernels are below 10 µs"),
    "communication.exposed": (RIGHT, "all-to-all that nothing hides"),
    "input.workers": (RIGHT, "the benchmark makes its batches in the loop"),
    "device.small_grids": (SMALL, "a small benchmark"),
    "device.tensor_cores": (SMALL, "linear layers in float32 on a V100, 1 % of the step"),
    "host.synchronisation": (RIGHT, "the loss is read in the step"),
    **FEW,
}
