@_spi(Host) import AppCore
import Testing

@Home
@Suite("A dependency that a test has not set")
struct UnsetDependencyTests {
  private struct Reader {
    @Dependency(\.client) var client
    @Dependency(Client.self) var sameClient
    @Dependency(\.date) var date
  }

  /// What is reported in a test that sets nothing.
  private func unset(_ body: () -> Void) -> [String] {
    reported { withDependencies({ $0.context = .test }, operation: body) }
  }

  @Test("It is reported with its name, where it is read, and the remedy; the live one stands")
  func report() {
    let line = #line + 1
    struct Here { @Dependency(\.client) var client }
    let reports = unset { #expect(Here().client.name == "live") }
    #expect(
      reports == [
        """
        the dependency 'client' is not set in this test; it is read at \
        AppCoreTests/UnsetDependencyTests.swift:\(line)
          - set it for the test: 'withDependencies { $0.client = … }'
          - or give its key 'Client' a 'testValue' of type 'Client', if every test can do with one
        """
      ])
  }

  @Test("Read by its key, it is named for the key")
  func key() {
    let reports = unset { _ = Reader().sameClient }
    #expect(reports.begin(with: "the dependency 'Client' is not set in this test"))
    #expect(reports[0].contains("'withDependencies { $0[Client.self] = … }'"))
  }

  @Test("Set, or read in an app, it is not reported")
  func quiet() {
    let reports = reported {
      _ = Reader().client
      withDependencies {
        $0.context = .test
        $0.client = Client(name: "set")
        $0.date = .constant(Instant(secondsSinceEpoch: 0))
      } operation: {
        #expect(Reader().client.name == "set")
        #expect(Reader().sameClient.name == "set")
        #expect(Reader().date.now == Instant(secondsSinceEpoch: 0))
      }
    }
    #expect(reports.isEmpty)
  }

  @Test("Every dependency of ours is reported by its name")
  func builtIn() {
    let reports = unset {
      @Dependency(\.self) var values: DependencyValues
      _ = (values.clock, values.date, values.uuid, values.withRandomNumberGenerator)
      _ = (values.environment, values.fileSystem, values.openURL, values.locale, values.timeZone)
      // These have a value in every test: nothing presents what the test does not present.
      _ = (values.dismiss, values.isPresented)
    }
    let names = [
      "clock", "date", "uuid", "withRandomNumberGenerator", "environment", "fileSystem", "openURL",
      "locale", "timeZone",
    ]
    #expect(
      reports.map { $0.prefix { $0 != "\n" } }
        == names.map { "the dependency '\($0)' is not set in this test" })
  }
}

extension UnsetDependencyTests {
  @Test("Setting a value through its key path, or changing it, reports nothing")
  func set() {
    let reports = reported {
      let reducer = Reduce<UniqueID?, Stamp> { id, _ in
        @Dependency(\.uuid) var uuid
        @Dependency(\.client) var client
        id = client.name == "set" ? uuid() : nil
        return .none
      }
      .dependency(\.uuid, .incrementing)
      .dependency(\.client, Client(name: "set"))
      .transformDependencies { $0.client.name += "" }
      let store = Store(initialState: nil, reducer: reducer)
      store.setDependencies(DependencyValues(context: .test))
      store.send(.stamp)
      #expect(store.state == UniqueID(0))
    }
    #expect(reports == [])
  }
}

private enum Stamp: ComponentAction { case stamp }

extension DependencyValues {
  fileprivate var client: Client {
    get { self[Client.self] }
    set { self[Client.self] = newValue }
  }
}

private struct Client: DependencyKey {
  var name: String
  static let liveValue = Client(name: "live")
}
