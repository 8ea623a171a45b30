#!/usr/bin/env python3
"""Builds a real ESPHome node (host platform) without PlatformIO: esphome generates the C++ sources, g++ compiles them.

  python3 build.py --out DIR [--yaml node.yaml.in] [--name testnode] [--port 16053] [--mac 98:35:69:AB:00:01]
                   [--key BASE64 | --adopt] [--esphome esphome] [--jobs 1] [--opt O0]

Leaves DIR/NAME (the program). Objects are kept in DIR/obj and reused: a file is compiled again when its text or one
of the generated headers changed. Needs: `esphome` (PyPI), g++ with C++20; with --key or --adopt also libssl-dev.
"""
import argparse, hashlib, os, pathlib, re, shutil, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor

PCH = """#include "esphome/core/defines.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include "esphome/core/application.h"
#include "esphome/core/automation.h"
#include "esphome/core/component.h"
#include "esphome/core/helpers.h"
#include "esphome/core/log.h"
"""
here = pathlib.Path(__file__).resolve().parent
ap = argparse.ArgumentParser()
ap.add_argument("--out", required=True)
ap.add_argument("--yaml", default=str(here / "node.yaml.in"))
ap.add_argument("--name", default="testnode")
ap.add_argument("--port", type=int, default=16053)
ap.add_argument("--mac", default="98:35:69:AB:00:01")
ap.add_argument("--key", help="Noise key, base64 of 32 bytes")
ap.add_argument("--adopt", action="store_true", help="encryption without a key: a plaintext client may set one")
ap.add_argument("--esphome", default="esphome")
ap.add_argument("--jobs", type=int, default=1)
ap.add_argument("--opt", default="O0")
a = ap.parse_args()

out = pathlib.Path(a.out).resolve()
conf, obj = out / "conf", out / "obj"
conf.mkdir(parents=True, exist_ok=True)
obj.mkdir(exist_ok=True)
shutil.copytree(here / "components", conf / "components", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
api = "  encryption:\n    key: \"%s\"\n" % a.key if a.key else "  encryption: {}\n" if a.adopt else ""
text = pathlib.Path(a.yaml).read_text()
text = text.replace("@API@\n", api).replace("@NAME@", a.name).replace("@PORT@", str(a.port)).replace("@MAC@", a.mac)
(conf / (a.name + ".yaml")).write_text(text)

t0 = time.time()
env = dict(os.environ, ESPHOME_DATA_DIR=str(out / "data"))
r = subprocess.run([a.esphome, "compile", "--only-generate", a.name + ".yaml"], cwd=conf, env=env, capture_output=True, text=True)
if r.returncode:
    sys.exit(r.stdout[-4000:] + r.stderr[-4000:])
gen = next(out.joinpath("data").glob("build/%s" % a.name), None) or next(conf.glob(".esphome/build/%s" % a.name))
src = gen / "src"
t1 = time.time()

ini = (gen / "platformio.ini").read_text()
flags = re.search(r"\[env:.*?\nbuild_flags =\n((?:    .*\n)+)", ini).group(1).split()
# every file reads nearly all of the core: one precompiled header cuts the time to a third
flags += ["-" + a.opt, "-w", "-I" + str(src)]
noise = bool(a.key or a.adopt)
files = sorted(src.rglob("*.cpp")) + [here / "loopback.cpp"]
if noise:
    flags += ["-I" + str(here / "noise")]
    files += [here / "noise" / "noise.cpp"]
heads = hashlib.sha256(" ".join(flags).encode())
for f in sorted(src.rglob("*.h")) + sorted((here / "noise").rglob("*.h")):
    heads.update(f.read_bytes())
salt = heads.digest()


pch = obj / ("%s.h" % hashlib.sha256(salt + PCH.encode()).hexdigest()[:24])


def build(f):
    o = obj / (hashlib.sha256(salt + str(f).encode() + f.read_bytes()).hexdigest()[:24] + ".o")
    if o.exists():
        return o, False
    tmp = o.with_suffix(".tmp.o")
    own = f.parent == here or noise and f.name == "noise.cpp"
    for extra in [[]] if own else [["-include", str(pch)], []]:  # a few files do not bear all headers at once (`time`)
        r = subprocess.run(["g++", *flags, *extra, "-c", str(f), "-o", str(tmp)], capture_output=True, text=True)
        if not r.returncode:
            break
    else:
        raise SystemExit("%s\n%s" % (f, r.stderr[:6000]))
    tmp.rename(o)
    return o, True


if not pch.with_suffix(".h.gch").exists():
    for old in obj.glob("*.h*"):
        old.unlink()
    pch.write_text(PCH)
    subprocess.run(["g++", *flags, "-x", "c++-header", str(pch), "-o", str(pch.with_suffix(".h.gch"))], check=True)
with ThreadPoolExecutor(a.jobs) as ex:
    done = list(ex.map(build, files))
for stale in set(obj.glob("*.o")) - {o for o, _ in done}:
    stale.unlink()
subprocess.run(["g++", *[str(o) for o, _ in done], "-Wl,--wrap=bind", "-pthread", *(["-lcrypto"] if noise else []), "-o", str(out / a.name)], check=True)
print("generated in %.1f s, compiled %d of %d files and linked in %.1f s: %s" %
      (t1 - t0, sum(n for _, n in done), len(done), time.time() - t1, out / a.name))
