// Exported because a host needs the options of an app, the error of loading it, and its events.
@_exported public import AppCheck

@_exported public import struct Navigation.NavigationEvent
