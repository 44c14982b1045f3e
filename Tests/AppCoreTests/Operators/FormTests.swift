import Testing

@_spi(Host) @testable import AppCore

@Suite("Forms: one action for all fields")
struct FormTests {
  enum Size: String, CaseIterable, Codable, Sendable { case small, large }

  struct Address: Codable, Equatable, Sendable {
    var street = ""
    var number = 1
  }

  struct SignUp: Reducer {
    struct State: Codable, Equatable, Sendable {
      var address = Address()
      var name = ""
      var age = 18
      var weight = 70.5
      var height: Double?
      var children: Int?
      var agrees = false
      var size = Size.small
      var password = Secret("")
      @Boxed var notes = "boxed"
      var changes: [String] = []
      var doubled: Int {
        get { age * 2 }
        set { age = newValue / 2 }
      }
    }
    enum Action: FeatureAction, Equatable {
      enum View: BindableAction, Equatable { case binding(BindingAction<State>), doneTapped }
      case view(View)
    }

    var body: some ReducerOf<Self> {
      BindingReducer()
        .onChange(of: { $0.age }) { old, new in
          Reduce { state, _ in
            state.changes.append("\(old) to \(new)")
            return .none
          }
        }
      Reduce { state, action in
        switch action {
        case .view(.binding(\.name)): state.changes.append("name")
        case .view(.binding(\.address.street)): state.changes.append("street")
        case .view(.binding(\.address)): state.changes.append("address")
        case .view: break
        }
        return .none
      }
    }

    func screen(_ state: State) -> Screen<Action> {
      Screen("Sign up") { screen in
        screen.form(state) { form in
          form.field("Name", \.name, problem: state.name.isEmpty ? "is missing" : nil)
          form.field("Age", \.age)
          form.field("Weight", \.weight)
          form.section("More") { form in
            form.field("Height", \.height)
            form.field("Children", \.children, id: "kids")
            form.screen.text("Not all of this is needed.")
            form.toggle("Agrees", \.agrees)
          }
          form.choice("Size", \.size) { $0.rawValue.uppercased() }
          form.secretField("Password", \.password)
          form.field("Street", \.address.street, placeholder: "none")
        }
        screen.button("Done", action: .doneTapped)
      }
    }
  }

  private func after(
    _ action: BindingAction<SignUp.State>, from state: SignUp.State = SignUp.State()
  ) -> SignUp.State {
    var state = state
    _ = SignUp().reduce(into: &state, action: .view(.binding(action)))
    return state
  }

  @Test("A field changes its property, and the reducer sees which one")
  func changes() {
    #expect(after(.set(\.name, "Ada")) == SignUp.State(name: "Ada", changes: ["name"]))
    #expect(after(.set(\.age, 20)) == SignUp.State(age: 20, changes: ["18 to 20"]))
    #expect(after(.set(\.age, 18)) == SignUp.State())
    #expect(
      after(.set(\.address.street, "Elm"))
        == SignUp.State(address: Address(street: "Elm"), changes: ["street"]))
    // At the same place as its first property.
    #expect(
      after(.set(\.address, Address(street: "Oak")))
        == SignUp.State(address: Address(street: "Oak"), changes: ["address"]))
  }

  private func controls(_ state: SignUp.State) -> [ControlContent] {
    func controls(_ elements: [ScreenElement]) -> [ControlContent] {
      elements.flatMap { element -> [ControlContent] in
        switch element {
        case .control(let own): [own]
        case .section(_, let elements): controls(elements)
        default: []
        }
      }
    }
    return controls(SignUp().screen(state).content.elements)
  }

  @Test("A field's id is the name of its property, and it shows the value")
  func fields() throws {
    let state = SignUp.State(
      name: "Ada", age: 9_007_199_254_740_993, height: 1.8, agrees: true, size: .large,
      password: Secret("x"))
    let found = controls(state)
    #expect(
      found.map(\.id) == [
        "name", "age", "weight", "height", "kids", "agrees", "size", "password", "address.street",
        nil,
      ])
    let texts = found.map { control -> String in
      switch control.kind {
      case .field(let field): "\(field.text) \(field.isSet)"
      case .toggle(let isOn): "\(isOn)"
      case .choice(let options, let selected):
        options.map { "\($0.id) \($0.label)" }.joined(separator: ", ") + ": \(selected ?? "")"
      case .button: "button"
      }
    }
    #expect(
      texts == [
        "Ada true", "9007199254740993 true", "70.5 true", "1.8 true", " false", "true",
        "small SMALL, large LARGE: large", " true", " false", "button",
      ])
    #expect(controls(SignUp.State())[0].problem == "is missing")
    #expect(found[0].problem == nil)
  }

  @Test("Each control sends what it sets")
  func input() {
    let screen = SignUp().screen(SignUp.State()).assembled()
    let inputs: [(ControlInput, BindingAction<SignUp.State>?)] = [
      (.text("Ada"), .set(\.name, "Ada")), (.number(20), .set(\.age, 20)),
      (.number(2.5), .set(\.weight, 2.5)), (.number(1.5), .set(\.height, 1.5)),
      (.number(3), .set(\.children, 3)), (.toggle(true), .set(\.agrees, true)),
      (.choice("large"), .set(\.size, .large)), (.text("x"), .set(\.password, Secret("x"))),
      (.text("Elm"), .set(\.address.street, "Elm")),
    ]
    for (index, (input, action)) in inputs.enumerated() {
      #expect(
        screen.action(control: index, input: input) == action.map { .view(.binding($0)) },
        "\(index)")
    }
  }

  @Test(
    "A whole number's field takes no other number",
    arguments: [1.5, .infinity, -.infinity, .nan, 1e300, -9_223_372_036_854_775_808, 1e16])
  func wholeNumbers(_ number: Double) {
    let screen = SignUp().screen(SignUp.State()).assembled()
    #expect(screen.action(control: 1, input: .number(number)) == nil)
    #expect(screen.action(control: 4, input: .number(number)) == nil)
  }

  @Test("People see the property and its value, but no secret")
  func description() {
    let texts: [(BindingAction<SignUp.State>, String)] = [
      (.set(\.name, "Ada"), "name ← Ada"), (.set(\.name, ""), #"name ← """#),
      (.set(\.name, " Ada"), #"name ← " Ada""#), (.set(\.name, "a\nb"), #"name ← "a\nb""#),
      (.set(\.age, 20), "age ← 20"), (.set(\.children, nil), "children ← nil"),
      (.set(\.size, .large), "size ← .large"),
      (.set(\.password, Secret("hunter2")), "password ← <secret>"),
      (.set(\.address.number, 2), "address.number ← 2"),
    ]
    for (action, text) in texts {
      #expect(StateDump.line(action) == text)
      #expect(StateDump.line(SignUp.Action.view(.binding(action))) == ".view(.binding(\(text)))")
    }
  }

  @Test("A property that no form has bound can't be set by its name")
  func unbound() {
    struct Form: Codable, Equatable { var name = "", other = "" }
    _ = BindingAction<Form>.set(\.name, "x")
    #expect(throws: Never.self) {
      try ValueDecoder().decode(BindingAction<Form>.self, from: ["name": "x"])
    }
    #expect(throws: DecodingError.self) {
      try ValueDecoder().decode(BindingAction<Form>.self, from: ["other": "x"])
    }
  }

  @Test("It is encoded as the property's name and value, and changes the same when it is decoded")
  func coding() throws {
    let actions: [BindingAction<SignUp.State>] = [
      .set(\.name, "Ada"), .set(\.age, 20), .set(\.height, nil), .set(\.height, 1.5),
      .set(\.size, .large), .set(\.password, Secret("x")), .set(\.address.street, "Elm"),
      .set(\.address, Address(street: "Oak", number: 2)),
    ]
    for action in actions {
      let value = try ValueEncoder().encode(action)
      let decoded = try ValueDecoder().decode(BindingAction<SignUp.State>.self, from: value)
      #expect(decoded == action)
      let state = SignUp.State(height: 2)
      #expect(after(decoded, from: state) == after(action, from: state))
    }
    #expect(try ValueEncoder().encode(actions[0]) == ["name": "Ada"])
    #expect(try ValueEncoder().encode(actions[6]) == ["address.street": "Elm"])
    let wrong: [Value] = [
      [:], ["nothing": 1], ["name": 1], ["name": "a", "age": 1], ["address.": "x"], ["": "x"],
      ["address.street.x": 1], "name", ["notes": "x"], ["doubled": 3], ["_notes": "x"],
      ["password.revealed": "x"], ["name._guts._object._countAndFlagsBits": 1],
      ["changes": ["x"]], ["weight": "x"],
    ]
    for value in wrong {
      #expect(throws: DecodingError.self, "\(value)") {
        try ValueDecoder().decode(BindingAction<SignUp.State>.self, from: value)
      }
    }
  }

  @Test("A field with an id is bound to a computed property, or to an element of an array")
  func named() throws {
    struct Members: Reducer {
      struct State: Codable, Equatable, Sendable {
        var names = ["Ada", "Bob"]
        var age = 18
        var doubled: Int {
          get { age * 2 }
          set { age = newValue / 2 }
        }
      }
      enum Action: FeatureAction, Equatable {
        enum View: BindableAction, Equatable { case binding(BindingAction<State>) }
        case view(View)
      }
      var body: some ReducerOf<Self> { BindingReducer() }

      func screen(_ state: State) -> Screen<Action> {
        Screen("Members") { screen in
          screen.form(state) { form in
            form.field("Doubled", \.doubled, id: "doubled")
            for index in state.names.indices {
              form.field("Name \(index)", \.names[index], id: "name-\(index)")
            }
          }
        }
      }
    }
    var state = Members.State()
    let screen = Members().screen(state).assembled()
    func type(_ input: ControlInput, at index: Int) throws -> BindingAction<Members.State> {
      let action = try #require(screen.action(control: index, input: input))
      _ = Members().reduce(into: &state, action: action)
      return switch action {
      case .view(.binding(let binding)): binding
      }
    }
    let doubled = try type(.number(40), at: 0)
    let name = try type(.text("Eve"), at: 2)
    #expect(state == Members.State(names: ["Ada", "Eve"], age: 20))
    #expect(name.description == "@name-1 ← Eve")
    // As a test and a reducer write them.
    #expect(name == .set(\.names[1], "Eve") && \.names[1] ~= name && !(\.names[0] ~= name))
    for action in [doubled, name] {
      let value = try ValueEncoder().encode(action)
      #expect(try ValueDecoder().decode(BindingAction<Members.State>.self, from: value) == action)
    }
    #expect(try ValueEncoder().encode(doubled) == ["@doubled": 40])
  }

  @Test("A computed property without a name can't be bound: it is reported, and nothing changes")
  func computed() {
    var actions: [BindingAction<SignUp.State>] = []
    let reports = reported { actions = [.set(\.doubled, 40), .set(\.notes, "x")] }
    #expect(reports.count == 2)
    for report in reports {
      #expect(
        report.hasPrefix(
          "a field of a form is bound to what is not a stored property of 'State'; it changes"))
    }
    for action in actions { #expect(after(action) == SignUp.State()) }
  }
}
