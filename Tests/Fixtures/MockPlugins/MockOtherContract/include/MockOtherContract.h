/// What a host would call.
void *appcore_plugin_MockOtherContract(void);
