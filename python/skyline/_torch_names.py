"""Everything public on torch.profiler, and what becomes of it here.

A test compares these names with the installed torch, so that a new one is noticed; docs/recording.md has the same
table.
"""

from ._error import Error

READ_ONLY = "events are read from the trace and cannot be changed"
KINETO = "it is a number or record of Kineto's, which does not take part in the recording"

# By class: names that work, and names that are refused, each with the reason.
WORKS: dict[str, str] = {
    "torch.profiler": """DeviceType ExecutionTraceObserver ProfilerAction ProfilerActivity kineto_available profile
        record_function schedule supported_activities tensorboard_trace_handler""",
    "profile": """activities add_metadata add_metadata_json current_action custom_trace_id_callback events
        execution_trace_observer export_chrome_trace export_stacks get_trace_id key_averages on_trace_ready
        prepare_trace preset_metadata preset_metadata_json profile_memory record_shapes record_steps schedule
        set_custom_trace_id_callback start start_trace step step_num stop stop_trace use_device with_flops with_modules
        with_stack""",
    "FunctionEvent": """concrete_inputs count cpu_children cpu_memory_usage cpu_parent cpu_time cpu_time_str
        cpu_time_total cpu_time_total_str cuda_time cuda_time_total device_index device_memory_usage
        device_resource_id device_time device_time_str device_time_total device_time_total_str device_type flops
        fwd_thread id input_dtypes input_shapes is_async is_legacy is_python_function is_remote is_user_annotation
        kernels key name node_id overload_name self_cpu_memory_usage self_cpu_time_total self_cpu_time_total_str
        self_cuda_memory_usage self_cuda_time_total self_device_memory_usage self_device_time_total
        self_device_time_total_str sequence_nr stack structured_input_shapes thread time_range trace_name
        use_device""",
    "FunctionEventAvg": """count cpu_memory_usage cpu_time cpu_time_str cpu_time_total cpu_time_total_str cuda_time
        device_memory_usage device_time device_time_str device_time_total device_time_total_str device_type flops
        input_shapes is_async is_legacy is_remote is_user_annotation key node_id overload_name
        self_cpu_memory_usage self_cpu_time_total self_cpu_time_total_str self_device_memory_usage
        self_device_time_total self_device_time_total_str stack use_device""",
    "EventList": """append clear copy count export_chrome_trace export_stacks extend index insert key_averages pop
        remove reverse self_cpu_time_total sort supported_export_stacks_metrics table total_average""",
}
REFUSED: dict[str, dict[str, str]] = {
    "profile": {
        "acc_events": "each cycle of a schedule is a trace of its own; open them together",
        "action_map": "the schedule's changes are not a table here",
        "activity_filters": KINETO,
        "experimental_config": KINETO,
        "export_memory_timeline": "use `skyline show memory TRACE` or the page's memory view",
        "has_cudagraphs": KINETO,
        "mem_tl": "use `skyline show memory TRACE`",
        "post_processing_timeout_s": "there is no post-processing in the program that is recorded",
        "profiler": "there is no torch.autograd.profiler inside",
        "step_rec_fn": "the range of the step is not handed out",
        "toggle_collection_dynamic": "use a schedule, or start() and stop()",
    },
    "FunctionEvent": {
        "activity_type": KINETO,
        "append_cpu_child": READ_ONLY,
        "append_kernel": READ_ONLY,
        "event_metadata": KINETO,
        "external_id": KINETO,
        "flow_id": KINETO,
        "flow_start": KINETO,
        "flow_type": KINETO,
        "kwinputs": "keyword arguments are not recorded",
        "linked_correlation_id": KINETO,
        "metadata_json": KINETO,
        "python_id": "Python frames are in `stack`, not events of their own",
        "python_module_id": "modules are in `skyline show modules`",
        "python_parent_id": "Python frames are in `stack`, not events of their own",
        "scope": "torch's scopes are not recorded; is_user_annotation tells ranges from operators",
        "self_cpu_percent": "table() works shares out; torch has -1 here",
        "set_cpu_parent": READ_ONLY,
        "structured_input_strides": "strides are in export_chrome_trace()'s file",
        "total_cpu_percent": "table() works shares out; torch has -1 here",
        "total_device_percent": "table() works shares out; torch has -1 here",
    },
    "FunctionEventAvg": {
        "add": READ_ONLY,
        "cpu_children": "rows of key_averages() are no calls; events() has the tree",
        "cpu_parent": "rows of key_averages() are no calls; events() has the tree",
        "scope": "torch's scopes are not recorded; is_user_annotation tells ranges from operators",
    },
}


class RefusedNameError(Error, AttributeError):
    """So that hasattr() answers, and who uses the name reads why."""


def refuse(owner: str, name: str) -> AttributeError:
    """What __getattr__ of a class is to raise."""
    reason = REFUSED[owner].get(name)
    if reason is None:
        return AttributeError(f"skyline's {owner} has no {name}")
    return RefusedNameError(f"skyline's {owner} has no {name}: {reason}")


def works(owner: str) -> list[str]:
    return WORKS[owner].split()
