/** What the tool says about itself. */
export const HELP = `Usage: llxprt-citations [cite] [options] [file … | -]
       llxprt-citations serve [--port N]

Shows what a model said with its sources. What a file holds is found out:
  a response of Gemini, OpenAI, Anthropic and others, or a batch record around one
  a stream of one, as server-sent events or as one JSON event per line
  a log of many, one JSON response per line, read on all cores
  a run of tools, { "tools": [{ "name", "args", "callId", "output" }], "answer" },
  one such call, an MCP tool result, or a payload this tool wrote
"-" reads standard input, and so does no file at all. In the repository, no file shows
a gallery instead, one answer per provider.

What to read:
  --provider NAME   gemini, openai or anthropic: nobody else's answers; a piece of a
                    response that does not say whose it is is read as theirs
  --tool NAME       the input is a result of this tool, as text or JSON
  --jsonl           the input is a log, one response per line
  --stream          the input is one response, event by event

What to write:
  --format FORMAT   terminal, markdown, html, json or svg     (default: terminal)
                    json is one payload per line; svg a picture of the coverage
  --links MODE      auto, osc8, markdown or plain             (default: auto)
  --width N         wrap block and coverage at N columns      (default: the terminal's)
  --coverage        show which passages lean on sources, and how much of the answer
  --no-excerpts     leave quotations out
  --max N           list N sources at the most, and all that are cited
  --verify FILE …   look every quotation up in these documents, in the order of the request
  --output FILE     write there instead of standard output
  --html FILE       the same as --format html --output FILE

  --port N          the port to serve on                      (default: a free one)
  --help, --version

Several lines that are JSON each are a log, unless they are events by their type, or chunks
of Gemini of which only one is finished. Lines of a log that are no JSON are reported with
their number and passed over; in JSON each payload says which line it is of.

"serve" opens a page on 127.0.0.1, where a response can be pasted and looked at.

Exit codes: 0 fine; 1 nothing found, or something could not be read or written;
2 wrong usage; 3 a quotation is not in the documents.
`
