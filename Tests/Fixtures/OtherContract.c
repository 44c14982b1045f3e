// A plugin as it would be built against another epoch of the SDK: it asks for that epoch's symbol. In C,
// because this SDK's Swift can only ever ask for its own.
extern int appcore_contract_9_swift_6_3_1(void);

void *appcore_plugin_OtherContract(void) {
  appcore_contract_9_swift_6_3_1();
  return 0;
}
