import Testing

@testable import PluginHost

@Suite("Contract")
struct ContractTests {
  @Test("A symbol's name is read into versions as people write them")
  func reads() throws {
    let contract = try #require(
      Contract(symbol: "appcore_contract_sdk_0_2_0_beta_1_swift_6_4_dev_87950231f783b149"))
    #expect(contract.sdkVersion == "0.2.0-beta.1")
    #expect(contract.compiler == "6.4-dev")
    #expect(contract.digest == "87950231f783b149")
    #expect(contract.description == "SDK 0.2.0-beta.1, Swift 6.4-dev, digest 87950231f783b149")
  }

  @Test("The host's own symbol is a contract")
  func host() throws {
    let contract = try #require(Workshop.hostContract)
    #expect(contract.digest.count == 16)
    #expect(contract.sdkVersion.allSatisfy { $0.isNumber || $0 == "." })
  }

  @Test(
    "Other symbols are none",
    arguments: [
      "", "appcore_contract_sdk_", "appcore_plugin_X",
      "appcore_contract_sdk_0_1_0_swift_6_3_1_87950231f783b14",
      "appcore_contract_sdk_0_1_0_swift_6_3_1_87950231f783b14g",
      "appcore_contract_sdk__swift_6_3_1_87950231f783b149",
      "appcore_contract_sdk_0_1_0_swift_87950231f783b149",
      "appcore_contract_sdk_0_1_0_87950231f783b149",
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
