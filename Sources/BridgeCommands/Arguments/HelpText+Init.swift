extension HelpTopic {
    static let initializeText = """
        Writes the files of a new plugin: a module with a handler, and what an editor needs
        to complete and check it.

        usage: jsbridge init [--swift [--package-path PATH]] FOLDER

          FOLDER                the folder of the files, which is created if it does not
                                exist; its name is that of the plugin. No file is replaced:
                                if one of them exists, nothing is written
          --swift               also write a Swift package with a program that loads the
                                plugin
          --package-path PATH   the folder of JavaScriptBridge for that package; a relative
                                path starts at FOLDER (../JavaScriptBridge)
          -h, --help            print this page

        The files are 'package.json', 'plugin.js', 'greeting.js', 'greeting.test.js' for
        'jsbridge test', 'tsconfig.json', 'types/jsbridge.d.ts', which has the output of
        'jsbridge types', and for 'jsbridge run --inspect-brk' '.vscode/launch.json' and an
        extension in '.vscode/extensions', which VS Code offers to install (Extensions,
        Recommended). With a TypeScript compiler, 'tsc -p FOLDER' checks the scripts.

        The exit status is 1 if a file exists, and 74 if one cannot be written.
        """
}
