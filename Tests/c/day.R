# A day in which the app decides, in R. .ci/c builds the shim and runs this:
#   Rscript day.R SHIM SCENARIO
words <- commandArgs(trailingOnly = TRUE)
dyn.load(words[1])

call <- function(name, ...) {
  answer <- .C(name, ..., code = 0L)
  if (answer$code != 0L) stop(.C("loopsim_r_error", sentence = "")$sentence)
  answer
}

session <- call("loopsim_r_open", session = 0)$session
tell <- function(message) {
  answer <- call("loopsim_r_exchange", session, message = message)$message
  if (startsWith(answer, "{\"type\":\"error\"")) stop(answer)
  invisible(answer)
}
column <- function(run, table, name) {
  one <- function(room) {
    call("loopsim_r_column", session, run, table, name, into = double(room), room, count = 0L)
  }
  one(one(0L)$count)$into
}

tell(sprintf('{"type":"reset","scenario":"%s","answers":[]}', words[2]))
tell('{"type":"advance","run":"r1","through":"2100-01-01T00:00:00Z"}')
glucose <- column("r1", "timeline", "glucose_true_mgdL")
cat(sprintf("%d rows, mean true glucose %.1f mg/dL\n", length(glucose), mean(glucose)))
invisible(call("loopsim_r_close", session))
