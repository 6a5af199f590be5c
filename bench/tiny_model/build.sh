#!/bin/bash
# build.sh WORK [WEIGHTS]: build the tiny model's files from packages of registries alone; see README.md.
#
# WORK is a folder for what is made on the way (1.5 GB); WEIGHTS one with tokenizer.json and weights.npz, as train.py
# writes them, else they are trained (15 minutes). The files end in tests/fixtures/webllm/.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
weights=${2:-$work/weights}
out=$root/tests/fixtures/webllm/openbook-tiny-q0f32

[ -d "$work/venv" ] || python3 -m venv "$work/venv"
"$work/venv/bin/pip" -q install apache-tvm==0.27.0.post1 apache-tvm-ffi==0.1.15.post2 numpy
[ -f "$work/runtime/objects/webgpu_runtime.o" ] || "$here/runtime.sh" "$work/venv" "$work/runtime"
[ -f "$weights/weights.npz" ] || python3 "$here/train.py" "$weights"

"$work/venv/bin/python" "$here/compile.py" "$work/compiled"
"$work/venv/bin/python" "$here/pack.py" "$work/compiled/parameters.json" "$weights/weights.npz" "$weights/tokenizer.json" "$out"
emcc -O2 --no-entry -s WASM_BIGINT=1 -s ERROR_ON_UNDEFINED_SYMBOLS=0 -s STANDALONE_WASM=1 -s ALLOW_MEMORY_GROWTH=1 \
  -s TOTAL_MEMORY=160MB -o "$out/openbook-tiny-q0f32.wasm" "$work"/runtime/objects/*.o "$work"/compiled/objects/*.o
ls -l "$out"
