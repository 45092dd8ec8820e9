#include "collect/python/stacks.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "collect/python/called_modules.h"
#include "collect/python/frames.h"

namespace skyline::collect {
namespace {

constexpr uint64_t kSeed = 0x9e3779b97f4a7c15;
constexpr size_t kBytesPerNode = 128;   // with its place in the map
constexpr size_t kBytesPerCode = 2048;  // pinned code, which a program may make and drop without end

struct NodeKey {
  uint32_t parent, code, module;
  int32_t offset;
  bool operator==(const NodeKey&) const = default;
};

struct NodeKeyHash {
  size_t operator()(const NodeKey& key) const {
    const uint64_t a = uint64_t{key.parent} << 32 | key.code;
    const uint64_t b = uint64_t{key.module} << 32 | static_cast<uint32_t>(key.offset);
    return mix_u64(a ^ kSeed, b ^ 0xd6e8feb86659fd93);
  }
};

// Shared by all threads, behind one mutex that is held for microseconds and never together with a
// wait for the GIL.
struct Shared {
  std::mutex mutex;
  std::deque<StackNode> nodes;
  std::unordered_map<NodeKey, uint32_t, NodeKeyHash> node_ids;
  std::deque<CodeInfo> codes;
  std::unordered_map<PyCodeObject*, uint32_t> code_ids;  // of living code only
  std::deque<ModuleInfo> modules;
  std::unordered_map<PyObject*, uint32_t> module_ids;
  uint32_t named_nodes = 0;     // up to here, modules were asked for their names
  uint32_t resolved_nodes = 0;  // up to here, everything has its names
  size_t most_nodes = SIZE_MAX, most_codes = SIZE_MAX;
  uint64_t refused = 0;
};

Shared& shared() {
  static Shared* const instance = new Shared;  // threads may outlive static destruction
  return *instance;
}

std::atomic<uint64_t> current_epoch = 1;
std::atomic<PyCodeObject*> known_module_call = nullptr;

std::string text_of(PyObject* unicode) {
  if (unicode == nullptr || !PyUnicode_Check(unicode)) return "?";
  const char* text = PyUnicode_AsUTF8(unicode);
  if (text != nullptr) return text;
  PyErr_Clear();
  return "?";
}

struct CodeNames {
  std::string file, function;
};

// With the GIL, and without the mutex: a text that is not valid makes an error, and any object that is made
// may set off a garbage collection, which may free code, which comes back to us.
CodeNames names_of(const PyCodeObject* code) {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);  // of whoever is at work while code is freed
  CodeNames names{text_of(code->co_filename), text_of(code->co_qualname)};
  PyErr_Restore(type, value, traceback);
  return names;
}

void set_names(CodeInfo& info, CodeNames names) {
  if (!info.file.empty()) return;
  info.file = std::move(names.file);
  info.function = std::move(names.function);
}

void take_line(StackNode& node) {
  PyCodeObject* code = shared().codes[node.code].code;
  if (node.line == 0 && code != nullptr) node.line = std::max(0, PyCode_Addr2Line(code, node.offset));
}

// A code object is about to be freed: the last chance to ask it.
void on_code_freed(PyCodeObject* code) {
  Shared& all = shared();
  {
    const std::lock_guard lock(all.mutex);
    if (!all.code_ids.contains(code)) return;
  }
  CodeNames names = names_of(code);
  const std::lock_guard lock(all.mutex);
  const auto found = all.code_ids.find(code);
  if (found == all.code_ids.end()) return;
  CodeInfo& info = all.codes[found->second];
  set_names(info, std::move(names));
  for (size_t i = all.resolved_nodes; i < all.nodes.size(); ++i) {
    if (all.nodes[i].code == found->second) take_line(all.nodes[i]);
  }
  info.code = nullptr;
  all.code_ids.erase(found);
  current_epoch.fetch_add(1, std::memory_order_release);
}

#if PY_VERSION_HEX >= 0x030c0000
int watch_code(PyCodeEvent event, PyCodeObject* code) {
  if (event == PY_CODE_EVENT_DESTROY) on_code_freed(code);
  return 0;
}

// Fails when other tools hold all of Python's eight places for watchers; one may be free the next time.
bool watch_code_objects() {
  static int watcher = -1;
  if (watcher < 0) watcher = PyCode_AddWatcher(watch_code);
  if (watcher < 0) PyErr_Clear();
  return watcher >= 0;
}
#else
// 3.11 has no watchers yet; its code type is asked through its deallocator.
destructor free_code = nullptr;

void free_watched_code(PyObject* object) {
  on_code_freed(reinterpret_cast<PyCodeObject*>(object));
  free_code(object);
}

bool watch_code_objects() {
  if (free_code != nullptr) return true;
  free_code = PyCode_Type.tp_dealloc;
  PyCode_Type.tp_dealloc = free_watched_code;
  return true;
}
#endif

uint32_t code_id(Shared& all, PyCodeObject* code) {
  const auto [found, is_new] = all.code_ids.try_emplace(code, static_cast<uint32_t>(all.codes.size()));
  if (is_new) all.codes.push_back({code, false, {}, {}});
  return found->second;
}

uint32_t module_id(Shared& all, PyObject* object) {
  if (object == nullptr) return kNoStack;
  const auto [found, is_new] = all.module_ids.try_emplace(object, static_cast<uint32_t>(all.modules.size()));
  if (is_new) all.modules.push_back({object, {}, {}, {}, kNoStack});
  return found->second;
}

// The chain of modules around a node, outermost first, as far as they have no name yet.
PyObject* root_module(const Shared& all, uint32_t node) {
  PyObject* root = nullptr;
  for (; node != kNoStack; node = all.nodes[node].parent) {
    if (all.nodes[node].module != kNoStack) root = all.modules[all.nodes[node].module].object;
  }
  return root;
}

struct NamelessModule {
  uint32_t id, around;
  PyObject *root, *around_object, *object;
};

// The module that a node's own one is called in.
uint32_t module_around(const Shared& all, uint32_t node) {
  const uint32_t parent = all.nodes[node].parent;
  return parent == kNoStack ? kNoStack : all.nodes[parent].module;
}

std::vector<NamelessModule> take_nameless_modules() {
  Shared& all = shared();
  const std::lock_guard lock(all.mutex);
  std::vector<NamelessModule> nameless;
  for (; all.named_nodes < all.nodes.size(); ++all.named_nodes) {
    const uint32_t module = all.nodes[all.named_nodes].module;
    if (module == kNoStack || !all.modules[module].type.empty()) continue;
    all.modules[module].type = "?";  // asked for once
    const uint32_t around = module_around(all, all.named_nodes);
    nameless.push_back({module, around, root_module(all, all.named_nodes),
                        around == kNoStack ? nullptr : all.modules[around].object,
                        all.modules[module].object});
  }
  return nameless;
}

// Python is called and Python objects are made without our mutex: a garbage collection may run in
// them, free code, and come back to us.
void name_new_modules(PyObject* name_modules) {
  const std::vector<NamelessModule> nameless = take_nameless_modules();
  if (nameless.empty()) return;
  PyObject* wanted = PyList_New(0);
  for (const NamelessModule& module : nameless) {
    PyObject* addresses = Py_BuildValue("(KKK)", reinterpret_cast<unsigned long long>(module.root),
                                        reinterpret_cast<unsigned long long>(module.around_object),
                                        reinterpret_cast<unsigned long long>(module.object));
    if (wanted != nullptr && addresses != nullptr) PyList_Append(wanted, addresses);
    Py_XDECREF(addresses);
  }
  PyObject* names = wanted == nullptr ? nullptr : PyObject_CallOneArg(name_modules, wanted);
  const bool fits = names != nullptr && PyList_Check(names) &&
                    static_cast<size_t>(PyList_GET_SIZE(names)) == nameless.size();
  for (size_t i = 0; fits && i < nameless.size(); ++i) {
    PyObject* pair = PyList_GET_ITEM(names, static_cast<Py_ssize_t>(i));  // (qualified name, class)
    if (pair == Py_None) {
      const std::lock_guard lock(shared().mutex);
      shared().modules[nameless[i].id].same_as = nameless[i].around;
      continue;
    }
    if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) continue;
    const std::string name = text_of(PyTuple_GET_ITEM(pair, 0)), type = text_of(PyTuple_GET_ITEM(pair, 1));
    const std::lock_guard lock(shared().mutex);
    ModuleInfo& module = shared().modules[nameless[i].id];
    module.name = name;
    module.type = type == "?" && !module.class_met.empty() ? module.class_met : type;
  }
  PyErr_Clear();
  Py_XDECREF(names);
  Py_XDECREF(wanted);
}

// Nodes that are met meanwhile may have code that is not named yet: up to which node all is.
uint32_t name_new_codes() {
  Shared& all = shared();
  std::vector<std::pair<uint32_t, PyCodeObject*>> fresh;
  uint32_t known_nodes = 0;
  {
    const std::lock_guard lock(all.mutex);
    known_nodes = static_cast<uint32_t>(all.nodes.size());
    for (uint32_t i = 0; i < all.codes.size(); ++i) {
      CodeInfo& info = all.codes[i];
      if (info.code == nullptr || info.pinned) continue;
      Py_INCREF(info.code);
      info.pinned = true;
      fresh.emplace_back(i, info.code);
    }
  }
  for (const auto& [id, code] : fresh) {
    CodeNames names = names_of(code);
    const std::lock_guard lock(all.mutex);
    set_names(all.codes[id], std::move(names));
  }
  return known_nodes;
}

// Room for one node more, or none is needed.
bool has_room(const Shared& all, uint32_t around, PyCodeObject* code, const void* place, PyObject* module) {
  const auto known_code = all.code_ids.find(code);
  const bool is_new_code = known_code == all.code_ids.end();
  if (all.nodes.size() < all.most_nodes && (!is_new_code || all.codes.size() < all.most_codes)) return true;
  const auto known_module = all.module_ids.find(module);
  if (is_new_code || (module != nullptr && known_module == all.module_ids.end())) return false;
  const uint32_t module_number = module == nullptr ? kNoStack : known_module->second;
  return all.node_ids.contains({around, known_code->second, module_number, offset_of(code, place)});
}

}  // namespace

namespace python_stacks {

bool start_watching(PyCodeObject* call, PyObject* note_module) {
  if (!watch_code_objects()) return false;
  known_module_call.store(call, std::memory_order_relaxed);
  called_modules::start(call, note_module);
  return true;
}

PyCodeObject* module_call() { return known_module_call.load(std::memory_order_relaxed); }
uint64_t epoch() { return current_epoch.load(std::memory_order_acquire); }

uint32_t intern(uint32_t around, PyCodeObject* code, const void* place, PyObject* module) {
  Shared& all = shared();
  const std::lock_guard lock(all.mutex);
  if (!has_room(all, around, code, place, module)) [[unlikely]] {
    ++all.refused;
    return around;
  }
  const size_t modules_before = all.modules.size();
  const NodeKey key{around, code_id(all, code), module_id(all, module), offset_of(code, place)};
  const auto [found, is_new] = all.node_ids.try_emplace(key, static_cast<uint32_t>(all.nodes.size()));
  if (is_new) {
    const uint32_t outer_module = around == kNoStack ? kNoStack : all.nodes[around].module;
    all.nodes.push_back(
        {around, key.code, key.offset, key.module != kNoStack ? key.module : outer_module, 0});
  }
  if (all.modules.size() > modules_before) called_modules::ask();
  return found->second;
}

void resolve(PyObject* name_modules) {
  Shared& all = shared();
  const bool asks = name_modules != nullptr && name_modules != Py_None;
  if (asks) name_new_modules(name_modules);
  const uint32_t known_nodes = name_new_codes();
  const std::lock_guard lock(all.mutex);
  // Modules that were met since they were asked wait for the next time, and their nodes with them.
  const uint32_t ready = asks ? std::min(all.named_nodes, known_nodes) : known_nodes;
  for (; all.resolved_nodes < ready; ++all.resolved_nodes) take_line(all.nodes[all.resolved_nodes]);
}

void release() {
  called_modules::stop();
  Shared& all = shared();
  std::vector<PyCodeObject*> pinned;
  {
    const std::lock_guard lock(all.mutex);
    for (CodeInfo& info : all.codes) {
      if (!info.pinned) continue;
      info.pinned = false;
      pinned.push_back(info.code);
    }
  }
  for (PyCodeObject* code : pinned) Py_DECREF(code);
}

void note_class(PyObject* module) {
  PyObject* const name = PyType_GetQualName(Py_TYPE(module));
  std::string text = text_of(name);
  Py_XDECREF(name);
  const std::lock_guard lock(shared().mutex);
  const auto found = shared().module_ids.find(module);
  if (found != shared().module_ids.end()) shared().modules[found->second].class_met = std::move(text);
}

void forget_module(PyObject* address) {
  const std::lock_guard lock(shared().mutex);
  if (shared().module_ids.erase(address) > 0) current_epoch.fetch_add(1, std::memory_order_release);
}

std::vector<std::string> files() {
  const std::lock_guard lock(shared().mutex);
  std::set<std::string> names;
  for (const CodeInfo& info : shared().codes) {
    if (!info.file.empty()) names.insert(info.file);
  }
  return {names.begin(), names.end()};
}

void set_limit(size_t bytes) {
  const std::lock_guard lock(shared().mutex);
  shared().most_nodes = bytes / kBytesPerNode;
  shared().most_codes = bytes / kBytesPerCode;
}

uint64_t refused() {
  const std::lock_guard lock(shared().mutex);
  return shared().refused;
}

void lock() { shared().mutex.lock(); }
void unlock() { shared().mutex.unlock(); }

uint32_t resolved_count() {
  const std::lock_guard lock(shared().mutex);
  return shared().resolved_nodes;
}
StackNode node(uint32_t index) {
  const std::lock_guard lock(shared().mutex);
  StackNode node = shared().nodes[index];
  while (node.module != kNoStack && shared().modules[node.module].same_as != kNoStack)
    node.module = shared().modules[node.module].same_as;
  return node;
}
CodeInfo code(uint32_t index) {
  const std::lock_guard lock(shared().mutex);
  return shared().codes[index];
}
ModuleInfo module(uint32_t index) {
  const std::lock_guard lock(shared().mutex);
  return shared().modules[index];
}

}  // namespace python_stacks

}  // namespace skyline::collect
