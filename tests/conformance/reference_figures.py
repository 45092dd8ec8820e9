"""What the owning projects print for the traces in the shared folder. See the README there."""

from __future__ import annotations

DLRM8 = "ranks/dlrm8"

# trace -> activities kept, then whole microseconds, then percent of communication under compute.
HTA_COLUMNS = ("kernels", "kernel_time", "idle", "compute", "non_compute", "overlap_percent")
HTA = {
    "kineto/v100_ddp_resnet_ns.json.gz": (4876, 384634, 10113, 372150, 2371, None),
    "kineto/a100_diff_control.json.gz": (7875, 383404, 62119, 234760, 86525, 47.03),
    "kineto/v100_diff_test.json.gz": (12515, 628371, 46910, 429216, 152245, 68.80),
}
HTA_DLRM8 = {
    0: (261, 13009, 6419, 1034, 5556, 4.50),
    1: (326, 18749, 6428, 1246, 11075, 2.47),
    2: (262, 11350, 7046, 1068, 3236, 7.88),
    3: (337, 18853, 8145, 1240, 9468, 3.31),
    4: (273, 16589, 8887, 1126, 6576, 0.56),
    5: (261, 16392, 9121, 1041, 6230, 0.64),
    6: (262, 11410, 7051, 1051, 3308, 7.56),
    7: (262, 10967, 8308, 1059, 1600, 9.51),
}

# trace -> milliseconds.
TRACELENS_COLUMNS = ("compute", "exposed_memcpy", "busy", "idle", "window")
TRACELENS = {
    "kineto/h100_qwen_inference.json.gz": (31.903115, 0.002368, 31.905483, 2.986936, 34.892419),
    "kineto/mi300_qwen_inference.json.gz": (29.743168, 0.000760, 29.743928, 3.387406, 33.131333),
}

# Device activities in the file and those without a launch call, as counted independently.
ACTIVITIES = {
    "kineto/h100_qwen_inference.json.gz": (1707, 509),
    "kineto/v100_diff_test.json.gz": (15632, 614),
    "kineto/mi300_vllm_graph_execution.json.gz": (434, 0),
    "kineto/b200_eager.json.gz": (929, 0),
}
