;; Makes emacs-mule.tsv: emacs --batch -Q -l make-emacs-mule.el > emacs-mule.tsv
;;
;; A row for each set of one octet, and three rows of each set of two: the octets before the last one, and the
;; character of each last octet from A0 to FF, or - for none.
(defun row (&rest octets)
  (let (cells)
    (dotimes (at 96)
      (let* ((code (apply 'unibyte-string (append octets (list (+ 160 at)))))
             (text (decode-coding-string code 'emacs-mule))
             (character (and (= (length text) 1) (aref text 0))))
        ;; Larger numbers are octets that are no character.
        (push (if (and character (< character #x110000)) (format "%04X" character) "-") cells)))
    (princ (format "%s\t%s\n" (mapconcat (lambda (octet) (format "%02X" octet)) octets "")
                   (mapconcat 'identity (nreverse cells) " ")))))
(princ (format "# Emacs %s\n" emacs-version))
(dolist (set (number-sequence #x81 #x8f)) (row set))
(dolist (set (number-sequence #x90 #x99))
  (dolist (line '(#xa1 #xb0 #xc8)) (row set line)))
