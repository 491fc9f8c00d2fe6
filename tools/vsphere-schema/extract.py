"""Writes the facts of the vSphere API that this project uses, from the type information that pyvmomi publishes.

Reads {"methods": [...], "types": [...], "objects": [...]} (names on the wire) from stdin and writes the table to stdout; its
format is told by packages/vsphere/src/wire/table/read-table.ts. Names, order, types and versions only.
"""
import json
import sys
from importlib.metadata import version

PIN = "9.1.1.0"
if version("pyvmomi") != PIN:
    sys.exit(f"pyvmomi {version('pyvmomi')} is installed; the table is made from {PIN}")

from pyVmomi import VmomiSupport as vmomi  # noqa: E402

LINK, OPTIONAL = 1, 4
SERVED = ("vim25", "vsan", "pbm")
SCALARS = {
    "vmodl.DateTime": "dateTime", "vmodl.Binary": "base64Binary", "vmodl.URI": "anyURI", "vmodl.TypeName": "string",
    "vmodl.PropertyPath": "string", "vmodl.MethodName": "string", "vmodl.Any": "anyType", "anyType": "anyType",
    "vmodl.DataObject": "DynamicData", "vmodl.DynamicData": "DynamicData",
    **{name: name for name in ("boolean", "byte", "short", "int", "long", "float", "double", "string", "void")},
}
data, managed, enums = vmomi._dataDefMap, vmomi._managedDefMap, vmomi._enumDefMap
wanted = json.load(sys.stdin)

# A fault that is a value of an object travels as the two fields of this type.
data.update({"vmodl.LocalizedMethodFault": [
    "vmodl.LocalizedMethodFault", "LocalizedMethodFault", "vmodl.DynamicData", "vmodl.version.version1",
    [("fault", "bare:vmodl.MethodFault", "vmodl.version.version1", 0),
     ("localizedMessage", "string", "vmodl.version.version1", OPTIONAL)]]})


def served(name):
    return vmomi.serviceNsMap.get(name) in SERVED


def version_id(name):
    """vim.version.version15 is vim/6.7.3: what stands after the slash is sent and published, with blanks for underlines."""
    family = name.split(".version.")[0].split(".")[-1]
    return f"{family}/{(vmomi.versionIdMap.get(name) or name.split('.')[-1]).replace(' ', '_')}"


def chain(name, types):
    while name in types:
        yield name
        name = types[name][2]


def is_fault(name):
    return "vmodl.MethodFault" in chain(name, data)


subtypes = {}
for each in data:
    if each in data and data[each][2]:
        subtypes.setdefault(data[each][2], []).append(each)

listed = set()


def list_bases(name):
    listed.update(chain(name, data))


def list_all(name, seen):
    """What may be sent where this type is declared: it, what extends it, and what these hold."""
    name = name.removesuffix("[]")
    if name in enums:
        listed.add(name)
    if name not in data or name in seen:
        return
    seen.add(name)
    list_bases(name)
    for one in chain(name, data):
        for prop in data[one][4] or []:
            list_all("vmodl.LocalizedMethodFault" if is_fault(prop[1].removesuffix("[]")) else prop[1], seen)
    for one in subtypes.get(name, []):
        list_all(one, seen)


by_wire = {}
for types in (enums, data):
    for vmodl_name, entry in types.items():
        if served(entry[2] if types is enums else entry[3]):
            by_wire.setdefault(entry[1], vmodl_name)
for name in wanted["types"]:
    if by_wire.get(name) in data:
        list_bases(by_wire[name])
        for prop in data[by_wire[name]][4] or []:
            if prop[1].removesuffix("[]") in enums:
                listed.add(prop[1].removesuffix("[]"))
    elif name in by_wire:
        listed.add(by_wire[name])
for name in data:
    if is_fault(name) and served(data[name][3]):
        list_bases(name)
methods, objects, sent = set(wanted["methods"]), set(), set()
for name, entry in managed.items():
    used = [method for method in entry[5] or [] if served(method[2]) and method[1] in methods]
    if served(entry[3]) and (used or entry[1] in wanted["objects"]):
        objects.update(chain(name, managed))
    for method in used:
        for param in method[3]:
            list_all(param[1], sent)


def type_id(name, flags):
    many = name.endswith("[]")
    name = name.removesuffix("[]")
    if flags & LINK:
        wire = "string"
    elif name.startswith("bare:"):
        wire = "MethodFault"
    elif name in SCALARS:
        wire = SCALARS[name]
    elif name in data:
        wire = "LocalizedMethodFault" if is_fault(name) else data[name][1]
    elif name in enums:
        wire = enums[name][1]
    else:
        wire = "@" + (managed[name][1] if name in managed else name.split(".")[-1])
    return wire + ("[]" if many else "") + ("?" if flags & OPTIONAL else "")


def base_id(name, types):
    return types[name][1] if name in types else name.split(".")[-1]


def since(one, other):
    return "" if one == other else " " + version_id(one)


lines = [f"source pyvmomi {PIN}"]
for name in sorted((v for v in vmomi.parentMap if served(v) or not vmomi.nsMap.get(v)), key=version_id):
    parents = set(vmomi.parentMap[name]) - {name}
    nearest = {p for p in parents if not any(p in vmomi.parentMap[q] and p != q for q in parents)}
    nearest = sorted(version_id(p) for p in nearest if not p.startswith("vmodl.reflect"))
    lines.append(" ".join(["version", version_id(name), *nearest]))

entries = []
for name in listed:
    if name in enums:
        _, wire, introduced, values = enums[name][:4]
        entries.append((wire, [f"enum {wire} {version_id(introduced)} {' '.join(values)}"]))
        continue
    _, wire, parent, introduced, props = data[name]
    kind = "fault" if is_fault(name) else "data"
    entries.append((wire, [f"{kind} {wire} {base_id(parent, data)} {version_id(introduced)}"] + [
        f" {prop[0]} {type_id(prop[1], prop[3])}{since(prop[2], introduced)}" for prop in props or []]))
for name in objects:
    _, wire, parent, introduced, props, all_methods = managed[name]
    text = [f"object {wire} {base_id(parent, managed)} {version_id(introduced)}"]
    text += [f" {prop[0]} {type_id(prop[1], prop[3])}{since(prop[2], introduced)}" for prop in props or [] if served(prop[2])]
    for _, method, first, params, result, privilege, raised in all_methods or []:
        if method not in methods or not served(first):
            continue
        failures = ",".join(base_id(fault, data) for fault in raised or []) or "-"
        text.append(f" {method}() {type_id(result[1], result[0])} {version_id(first)} {privilege or '-'} {failures}")
        text += [f"  {param[0]} {type_id(param[1], param[3])}{since(param[2], first)}" for param in params]
    entries.append((wire, text))
for _, text in sorted(entries):
    lines += text
print("\n".join(lines))
