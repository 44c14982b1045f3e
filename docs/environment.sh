# Sets what the commands of these documents need, in bash, in the folder above this one:
#   . docs/environment.sh
if [ -x ../../../bin/appcore ]; then
  # An installed tree, in its share/doc/appcore.
  appcore_tree=$(cd ../../.. && pwd)
  export APPCORE_BUILD=$appcore_tree/lib/appcore/build
  PATH=$appcore_tree/bin:$PATH
else
  # A checkout that was built by `make build`.
  export APPCORE_BUILD=$PWD/.build/debug
  PATH=$APPCORE_BUILD:$PATH
fi
# The mock plugins, and those of the case studies.
export APPCORE_PLUGIN_PATH=$APPCORE_BUILD COLUMNS=80
