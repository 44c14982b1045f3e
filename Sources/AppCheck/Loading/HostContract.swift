internal import AppCore
package import PluginHost

/// The contract of the SDK that this process has loaded.
package let hostContract: Contract = {
  guard var contract = Contract(symbol: SDK.contractSymbol) else {
    // The SDK's build makes the symbol; a test reads it back.
    preconditionFailure("the SDK names its contract '\(SDK.contractSymbol)', which can't be read")
  }
  contract.configuration = BuildConfiguration(rawValue: SDK.configuration)
  return contract
}()
