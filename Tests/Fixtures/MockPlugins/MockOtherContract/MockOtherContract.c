#include "MockOtherContract.h"

// A plugin as a compiler of another SDK would have left it: it asks for that SDK's symbol. In C,
// because this SDK's Swift can only ever ask for its own.
extern int appcore_contract_sdk_9_9_9_swift_6_3_1_0123456789abcdef(void);

void *appcore_plugin_MockOtherContract(void) {
  appcore_contract_sdk_9_9_9_swift_6_3_1_0123456789abcdef();
  return 0;
}
