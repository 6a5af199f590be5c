#!/bin/bash
# runtime.sh VENV OUT: TVM's runtime for WebAssembly, from the sources that TVM's wheels carry, with Debian's emscripten.
#
# VENV holds apache-tvm and apache-tvm-ffi; three headers that these lack come from the wheel of apache-tvm-tirx, and
# five that no wheel has from standins/. Takes two minutes and 1.3 GB of memory; the objects end in OUT/objects/.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
packages=$(echo "$1"/lib/python3*/site-packages)
out=$2
tree=$out/tree
rm -rf "$tree" "$out/objects"
mkdir -p "$tree"/{src/support,include/tvm/support/cuda,web,3rdparty/tvm-ffi/3rdparty,3rdparty/compiler-rt} "$out/objects"

if [ ! -d "$out/tirx/tvm_tirx" ]; then
  "$1/bin/pip" -q download --no-deps --pre -d "$out/tirx" apache-tvm-tirx==0.1.0a4
  unzip -qo "$out"/tirx/*.whl 'tvm_tirx/include/tvm/support/*' -d "$out/tirx"
fi
cp -r "$packages/tvm/src/runtime" "$tree/src/"
cp -r "$packages/tvm/include/tvm" "$tree/include/"
cp -r "$packages/tvm/web/emcc" "$tree/web/"
cp -r "$packages"/tvm_ffi/{include,src} "$tree/3rdparty/tvm-ffi/"
cp -r "$packages/tvm_ffi/3rdparty/dlpack" "$tree/3rdparty/tvm-ffi/3rdparty/"
cp "$out"/tirx/tvm_tirx/include/tvm/support/{io,serializer,bytes_io}.h "$tree/include/tvm/support/"
cp "$here/standins/nvtx.h" "$tree/include/tvm/support/cuda/"
cp "$here"/standins/{utils,base64}.h "$tree/src/support/"
cp "$here/standins/bytes_io_fwd.h" "$tree/src/support/bytes_io.h"
cp "$here/standins/builtin_fp16.h" "$tree/3rdparty/compiler-rt/"

# Nothing is called over the network here.
emcc_folder=$tree/web/emcc
sed '/src\/runtime\/rpc\//d' "$emcc_folder/wasm_runtime.cc" > "$emcc_folder/runtime.cc"
sed -e '/rpc_local_session.h/d' -e '/^namespace tvm {/,$d' "$emcc_folder/tvmjs_support.cc" > "$emcc_folder/support.cc"
for file in runtime webgpu_runtime support; do
  emcc -I"$tree" -I"$tree/include" -I"$tree/3rdparty/tvm-ffi/include" -I"$tree/3rdparty/tvm-ffi/3rdparty/dlpack/include" \
    -I"$tree/3rdparty/compiler-rt" -O2 -std=c++17 -w -c -o "$out/objects/$file.o" "$emcc_folder/$file.cc"
done
