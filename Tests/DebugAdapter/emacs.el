;;; -*- lexical-binding: t -*-
;; Debugs a script with dap-mode: prints each pause, continues, and ends with the program.
(package-initialize)
(require 'dap-mode)
;; The version 0.7 uses a variable that only its windows define.
(defvar dap-exception-breakpoints nil)
(setq dap-auto-configure-features nil
      dap-breakpoints-file (expand-file-name "breakpoints" (getenv "FOLDER")))
(dap-register-debug-provider "javascript-bridge" #'identity)

(defvar has-ended nil)
(defun show-pause (session)
  (let ((frame (dap--debug-session-active-frame session)))
    (when frame
      (princ (format "%s:%s\n" (gethash "name" frame) (gethash "line" frame)))
      (run-at-time 0 nil (lambda () (dap-continue session (dap--debug-session-thread-id session)))))))
(add-hook 'dap-stack-frame-changed-hook #'show-pause)
(add-hook 'dap-terminated-hook (lambda (_) (setq has-ended t)))

(find-file (getenv "SCRIPT"))
(goto-char (point-min))
(forward-line 1)
(dap-breakpoint-add)
(dap-start-debugging
 (list :type "javascript-bridge" :request "attach" :name "test" :host "127.0.0.1"
       :debugServer (string-to-number (getenv "PORT")) :token (getenv "TOKEN")))
(let ((turns 0))
  (while (and (not has-ended) (< turns 300))
    (setq turns (1+ turns))
    (accept-process-output nil 0.1)))
