#!/usr/bin/env bash
# Makes a tree that runs without the checkout, from what `swift build` has made.
#
#   scripts/install.sh --build FOLDER --prefix FOLDER [--destdir FOLDER]
#
# The products are linked again instead of copied: SwiftPM's know the toolchain's folder and their
# own, and an installed program is to find its libraries from where it stands, wherever the tree is
# moved. Everything is made in a folder of its own first, so that a failure leaves no half tree.
set -euo pipefail

fail() {
  echo "install: $1" >&2
  exit "${2:-70}"
}

build= prefix= destdir=
while [ $# -gt 0 ]; do
  [ $# -gt 1 ] || fail "'$1' needs a folder" 64
  case $1 in
    --build) build=$2 ;;
    --prefix) prefix=$2 ;;
    --destdir) destdir=$2 ;;
    *) fail "unknown option '$1'; there are --build, --prefix and --destdir" 64 ;;
  esac
  shift 2
done
[ -n "$prefix" ] || fail "no place to install to; type: make install PREFIX=/some/where" 64
case $prefix in
  /*) ;;
  *) fail "PREFIX is '$prefix'; it must begin with '/'" 64 ;;
esac

cd "$(dirname "$0")/.."
[ -e "$build/appcore" ] || fail "'$build' holds no build; type: make build" 66
build=$(cd "$build" && pwd -P)
swiftc=$(command -v "${SWIFTC:-swiftc}") || fail "there is no '${SWIFTC:-swiftc}' on the PATH" 69
toolchain=$(dirname "$(readlink -f "$swiftc")")

stage=$(mktemp -d "${TMPDIR:-/tmp}/appcore-install.XXXXXX")
trap 'rm -rf "$stage"' EXIT
plugins=$stage/lib/appcore/plugins
mocks=$stage/lib/appcore/mocks
modules=$stage/lib/appcore/modules
runtime=$stage/lib/appcore/runtime
mkdir -p "$stage/bin" "$plugins" "$mocks" "$modules" "$runtime" "$stage/share/appcore/manifests"

# link OUTPUT PRODUCT RUNPATH FLAG…: the objects of a product of the build, with another RUNPATH.
link() {
  local output=$1 objects=$build/$2.product/Objects.LinkFileList runpath=$3
  shift 3
  [ -e "$objects" ] || fail "the build holds no '$objects'; type: make build" 66
  "$swiftc" -no-toolchain-stdlib-rpath -g -Xlinker --gc-sections \
    -Xlinker -rpath -Xlinker "$runpath" "@$objects" -L "$stage/lib" "$@" -o "$output"
}

link "$stage/lib/libAppCore.so" AppCore '$ORIGIN/appcore/runtime' \
  -emit-library -module-name AppCore -Xlinker -soname -Xlinker libAppCore.so
# A DT_RPATH of the program, unlike a DT_RUNPATH, also holds for what its libraries need: those of the
# system that a bundle brings along have no search path of their own.
link "$stage/bin/appcore" appcore '$ORIGIN/../lib:$ORIGIN/../lib/appcore/runtime' \
  -Xlinker --disable-new-dtags \
  -emit-executable -module-name appcore -Xlinker --defsym -Xlinker main=AppCoreProgram_main \
  -lAppCore $(pkg-config --libs yaml-0.1)
for folder in Plugins/*/; do
  name=$(basename "$folder")
  [ "$name" != CaseStudies ] || continue # examples, which are linked below
  # Without a name of its own the linker writes the path of its output into the file.
  link "$plugins/lib$name.so" "$name" '$ORIGIN/../..:$ORIGIN/../runtime' \
    -emit-library -module-name "$name" -lAppCore -Xlinker -soname -Xlinker "lib$name.so"
  # A file that is damaged later is then refused before any of its code runs.
  "$build/appcore" __stamp "$plugins/lib$name.so"
done

# Plugins that are wrong in one way each, for the tests of who writes hosts or plugins, and the
# examples. They are in no folder that is searched.
for folder in Tests/Fixtures/MockPlugins/*/ Plugins/CaseStudies/*/; do
  name=$(basename "$folder")
  [ -e "$build/$name.product" ] || continue
  link "$mocks/lib$name.so" "$name" '$ORIGIN/../..:$ORIGIN/../runtime' \
    -emit-library -module-name "$name" -lAppCore
done

# archive NAME MODULE…: the modules' objects as one object in a library. In several, the linker
# would leave out those that only hold conformances, which Swift finds at run time.
archive() {
  local name=$1 module source
  shift
  local objects=()
  for module in "$@"; do
    while IFS= read -r source; do
      objects+=("$build/$module.build/$(basename "$source").o")
    done <"$build/$module.build/sources"
  done
  "$toolchain/clang" -r -nostdlib -o "$stage/$name.o" "${objects[@]}"
  "$toolchain/llvm-ar" qcs "$stage/lib/lib$name.a" "$stage/$name.o"
}

# The host's modules: every folder of sources but those of the program and of the test kit.
host_modules=
for folder in Sources/*/; do
  module=$(basename "$folder")
  case $module in
    AppCoreCLI | AppCoreProgram | AppCoreHostTesting) ;;
    *) [ ! -e "$build/$module.build/sources" ] || host_modules="$host_modules $module" ;;
  esac
done
archive AppCoreHost $host_modules
archive AppCoreTesting AppCoreTesting
archive AppCoreHostTesting AppCoreHostTesting
for module in AppCore AppCoreTesting $host_modules AppCoreHostTesting; do
  # The comments of its declarations stand beside a module, where editors look for them.
  for kind in swiftmodule swiftdoc; do
    cp "$build/Modules/$module.$kind" "$modules"
  done
done
# The compiler asks for it where `AppCoreHost` is imported, though nothing public mentions it.
cp -r Sources/CYAML "$modules"
for manifest in manifests/*.yaml; do
  [ "$manifest" = manifests/casestudies.yaml ] || cp "$manifest" "$stage/share/appcore/manifests"
done

# The documents, from README.md on, which links to those in docs/, and the case studies to read.
mkdir -p "$stage/share/doc/appcore/Plugins" "$stage/share/doc/appcore/manifests"
cp -r README.md SECURITY.md CHANGELOG.md docs schema examples "$stage/share/doc/appcore"
cp -r Plugins/CaseStudies "$stage/share/doc/appcore/Plugins"
cp manifests/*.yaml "$stage/share/doc/appcore/manifests"
# What the commands of the documents refer to.
mkdir -p "$stage/share/doc/appcore/Tests/Fixtures/manifests"
for fixtures in dpkg manifests/mocks manifests/rude; do
  cp -r "Tests/Fixtures/$fixtures" "$stage/share/doc/appcore/Tests/Fixtures/$fixtures"
done
scripts/reference.sh "$build" "$stage/share/doc/appcore/reference"

# The manual pages are made by the program itself, of what its help says.
mkdir -p "$stage/share/man/man1"
"$build/appcore" __man "$stage/share/man/man1"

# Where bash, zsh and fish look for what completes a command.
install -D -m 644 completions/appcore.bash "$stage/share/bash-completion/completions/appcore"
install -D -m 644 completions/_appcore "$stage/share/zsh/site-functions/_appcore"
install -D -m 644 completions/appcore.fish "$stage/share/fish/vendor_completions.d/appcore.fish"

# The Swift runtime that the programs need, so that they run where the toolchain is elsewhere or
# gone. In a folder of its own: in a common `lib` other Swift programs would find it.
swift_libraries=$(dirname "$(ldd "$build/libAppCore.so" | awk '/libswiftCore/ { print $3 }')")
[ -e "$swift_libraries/libswiftCore.so" ] || fail "the Swift runtime can't be found"
export LD_LIBRARY_PATH=$stage/lib:$swift_libraries
ldd "$stage/bin/appcore" "$stage/lib/libAppCore.so" "$plugins"/*.so \
  | awk -v folder="$swift_libraries/" 'index($3, folder) == 1 { print $3 }' | sort -u \
  | while IFS= read -r library; do cp -L "$library" "$runtime"; done
unset LD_LIBRARY_PATH

# Not copied over what is there: a program that runs keeps the files that it has mapped.
target=$destdir$prefix
(cd "$stage" && find bin lib share -type f) | while IFS= read -r file; do
  case $file in
    bin/* | *.so) mode=755 ;;
    *) mode=644 ;;
  esac
  install -D -m "$mode" "$stage/$file" "$target/$file"
done
# The folder of a build, as the documents name it: its modules and libraries under their names there.
mkdir -p "$target/lib/appcore/build"
ln -sfn ../modules "$target/lib/appcore/build/Modules"
for library in "$target"/lib/*.so "$target"/lib/appcore/plugins/*.so "$target"/lib/appcore/mocks/*.so; do
  case $library in
    "$target"/lib/appcore/*) ln -sf "../${library#"$target"/lib/appcore/}" "$target/lib/appcore/build" ;;
    *) ln -sf "../../${library##*/}" "$target/lib/appcore/build" ;;
  esac
done
echo "installed in $target; type: $target/bin/appcore run $target/share/appcore/manifests/packages.yaml"
