internal import AppCheck
internal import AppCoreHost
public import ArgumentParser

// Public imports: a conformance of a public type is public.
extension ReportFormat: ExpressibleByArgument {}
extension GraphFormat: ExpressibleByArgument {}
extension PluginConfiguration: ExpressibleByArgument {}
