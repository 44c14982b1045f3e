import AppCore
import AppCoreHostTesting
import AppCoreTesting
import Testing

@Suite("Dates in an app")
struct DateFieldAppTests {
  /// Two dates, of which the second follows the first.
  struct Trip: Feature {
    struct State: Codable, Sendable, Equatable {
      var arrival: CalendarDate?
      var departure: CalendarDate?
    }
    enum Action: FeatureAction {
      enum View: BindableAction { case binding(BindingAction<State>) }
      case view(View)
    }

    func initialState(_ arguments: NoArguments) -> State { State() }

    var body: some ReducerOf<Self> { BindingReducer() }

    func screen(_ state: State) -> Screen<Action> {
      Screen("Trip") { screen in
        screen.form(state) { form in
          form.field("Arrival", \.arrival)
          let isEarly = state.departure.map { $0 < state.arrival ?? $0 } ?? false
          form.field("Departure", \.departure, problem: isEarly ? "is too early" : nil)
        }
      }
    }
  }

  struct TripPlugin: Plugin {
    static let name = "Trips"
    static let version = "1.0.0"
    init(configuration: NoConfiguration) {}
    static func register(in registry: inout PluginRegistry<Self>) {
      registry.feature(Trip.self) { _ in Trip() }
    }
  }

  @Test("A test says what day is today, and in which zone")
  func today() async throws {
    let app = try await AppHarness(
      text: """
        appcore: 1
        plugins: [Trips]
        start: trip
        nodes: { trip: { feature: Trips.Trip } }

        """, plugins: [TripPlugin.self]
    ) {
      // Half past eleven in the evening, when it is already March in Berlin.
      $0.date.now = Instant("2024-02-29T23:30:00Z") ?? $0.date.now
      $0.timeZone = .fixed(secondsFromUTC: 3600)
    }
    try await app.type("@arrival today", "@departure +1w")
    #expect(await app.screen.text.contains("Arrival: 2024-03-01"))
    #expect(await app.screen.text.contains("Departure: 2024-03-08"))
    try await app.type("@departure 2024-02-29")
    #expect(await app.screen.text.contains("is too early"))
    let refusal = try await app.refusal(of: "@arrival 2026-02-30")
    #expect(refusal.code == "not-a-date" && refusal.reason.contains("2026-02 has 28 days"))
  }
}
