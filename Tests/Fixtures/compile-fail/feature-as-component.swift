import AppCore

// expect: type 'Editor.Action' does not conform to protocol 'ComponentAction'
extension Editor.Action: ComponentAction {}
