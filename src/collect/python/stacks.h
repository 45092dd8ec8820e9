// Python stacks as numbers.
//
// A stack is a path in a tree of (code, place, module) nodes; its number is that of its innermost
// node. A thread finds the number of the stack it stands in by itself (stack_cache.h); only a node that it
// meets for the first time goes through the shared tree.
//
// A code object's address is only a key while the object lives. Until somebody holding the GIL has
// pinned it (resolve), a watch on freed code objects makes sure that its names are taken before it
// goes, and that no later object at the same address is mistaken for it.
#pragma once

#include <Python.h>

#include <cstdint>
#include <string>
#include <vector>

#include "collect/tables/ids.h"

namespace skyline::collect {

struct StackNode {
  uint32_t parent;  // kNoStack: outermost
  uint32_t code;    // index of CodeInfo
  int32_t offset;   // of the instruction, in bytes
  uint32_t module;  // the innermost one running there: index of ModuleInfo, or kNoStack
  int32_t line;     // 0: not resolved
};

struct CodeInfo {
  PyCodeObject* code;  // nullptr once it is freed
  bool pinned;
  std::string file, function;
};

struct ModuleInfo {
  PyObject* object;  // only a key; never looked into without a check that it lives
  std::string name;  // qualified, in its root
  std::string type;
  std::string class_met;  // its class as it was when it was met; it may be gone when names are asked for
  uint32_t same_as;       // part of the module around it: index of that, or kNoStack
};

namespace python_stacks {

// With the GIL. `module_call` is the code of torch.nn.Module.__call__, whose first local variable is
// the module; may be nullptr. `note_module` as in called_modules.h. False: freed code cannot be watched, so
// that no stack may be taken.
bool start_watching(PyCodeObject* module_call, PyObject* note_module);

// What start_watching() was given.
PyCodeObject* module_call();

// Goes up whenever an address that threads may know starts to mean something else.
uint64_t epoch();

// The number of the stack `around` with one frame more, on the frame's own thread. `module`: whose call it
// is, or nullptr.
uint32_t intern(uint32_t around, PyCodeObject* code, const void* place, PyObject* module);

// With the GIL: takes names and lines of everything met so far, and pins it. `name_modules` is called
// with a list of (address of the root module, of the module around it or 0, of the module) and gives a
// list of (qualified name, class), or None for a part of the module around it; it must not trust the
// addresses. May be nullptr or None: modules stay nameless.
void resolve(PyObject* name_modules);

// With the GIL, when nothing is recorded: unpins.
void release();

// With the GIL: the class of the module at this address, which lives.
void note_class(PyObject* module);

// With the GIL: the module at this address is gone; another one there has another name.
void forget_module(PyObject* address);

// The files whose code was met and has a name by now.
std::vector<std::string> files();

// How much memory the tree may take, about. What is deeper than a full tree reaches counts as the stack
// around it.
void set_limit(size_t bytes);
// How often that was so.
uint64_t refused();

// Around fork(), so that the child does not inherit a mutex that nobody will unlock.
void lock();
void unlock();

// Nodes below this have all their names; their numbers and meaning never change. A node's parent stands
// before it.
uint32_t resolved_count();
StackNode node(uint32_t index);
CodeInfo code(uint32_t index);
ModuleInfo module(uint32_t index);

}  // namespace python_stacks

}  // namespace skyline::collect
