@_spi(Host) internal import AppCore
import Testing

@testable import PluginHost

@Suite("Contract")
struct ContractTests {
  @Test("A symbol's name is read into versions as people write them")
  func reads() throws {
    let contract = try #require(
      Contract(symbol: "appcore_contract_12_swift_6_4_dev"))
    #expect(contract.epoch == 12)
    #expect(contract.compiler == "6.4-dev")
    #expect(contract.description == "epoch 12, Swift 6.4-dev")
  }

  @Test("That of a release before the first epoch is one, and agrees with no other")
  func beforeEpochs() throws {
    let contract = try #require(
      Contract(symbol: "appcore_contract_sdk_0_1_0_swift_6_3_1_87950231f783b149"))
    #expect(contract.epoch == 0)
    #expect(contract.description == "before the first epoch, Swift 6.3.1")
  }

  @Test("The host's own symbol is a contract")
  func host() throws {
    #expect(Contract(symbol: SDK.contractSymbol) == HostSDK.current.contract)
  }

  @Test(
    "Other symbols are none",
    arguments: [
      "", "appcore_contract_", "appcore_plugin_X", "appcore_contract_1",
      "appcore_contract_1_swift_",
      "appcore_contract__swift_6_3_1", "appcore_contract_0_swift_6_3_1",
      "appcore_contract_-1_swift_6_3_1", "appcore_contract_+1_swift_6_3_1",
      "appcore_contract_one_swift_6_3_1", "appcore_contract_1_swift_six",
      "appcore_contract_99999999999999999999_swift_6_3_1", "appcore_contract_sdk_0_1_0_swift_",
    ])
  func refuses(symbol: String) {
    #expect(Contract(symbol: symbol) == nil)
  }
}

@Suite("ContentDigest")
struct ContentDigestTests {
  @Test(
    "It is XXH64, by the vectors of its authors",
    arguments: [
      ("", "ef46db3751d8e999"), ("a", "d24ec4f1a98c6e5b"), ("abc", "44bc2cf5ad770999"),
    ])
  func vectors(text: String, digest: String) {
    let bytes = Array(text.utf8)
    #expect(bytes.withUnsafeBytes { ContentDigest($0) }.description == digest)
  }
}
