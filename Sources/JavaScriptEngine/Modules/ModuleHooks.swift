internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The functions that the engine calls for `import()` and `import.meta`.
///
/// They run inside the engine, with its lock held. A result of `nil` becomes a rejected promise or an empty object.
enum ModuleHooks {
    static let functions = jsb_module_hooks(
        import: { ref, loader, specifier, referrer, options in
            guard let ref, let loader, let context = JSContext.current(ref) else { return nil }
            return context.modules.importDynamically(
                [specifier, referrer, options],
                loader: loader,
                in: context
            )
        },
        meta: { ref, key in
            guard let ref, let context = JSContext.current(ref) else { return nil }
            return context.modules.makeMeta(of: key, in: context)
        }
    )
}
