/**
 * A page on this machine, and for nobody else: it listens on loopback, and answers only who asks for
 * it by that name, so that no site can reach it under a name of its own.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { citationAssets } from '../../load.js'
import { Complaint, messageOf } from './complaint.mjs'
import { DESK_STYLE, desk } from './desk.mjs'

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

const LOOPBACK = '127.0.0.1'
/** The most that can be pasted. A form spells some characters with three bytes. */
const LONGEST_BODY = 96 * 1024 * 1024
const PATIENCE_MS = 60_000

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Not `no-referrer`: under that a browser does not say where a form comes from, and it would be refused.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

const { css, script } = citationAssets()

/** @type {Record<string, { type: string, body: string }>} */
const FILES = {
  '/cite.css': { type: 'text/css', body: css },
  '/desk.css': { type: 'text/css', body: DESK_STYLE },
  '/cite.js': { type: 'text/javascript', body: script },
}

/**
 * Serves until the process is told to stop.
 *
 * @param {number} port 0 is any that is free
 */
export async function serve(port) {
  const server = createServer({ requestTimeout: PATIENCE_MS }, (request, response) => {
    answer(request, response).catch((error) => {
      // Who goes away in the middle of a request wants no answer.
      if (!response.headersSent) send(response, 400, 'text/plain', messageOf(error))
    })
  })
  server.listen(port, LOOPBACK)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new Complaint(`cannot serve on port ${port}: ${messageOf(error)}`)
  }
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  // Whoever reads this may already want it to stop.
  process.stdout.write(`http://${LOOPBACK}:${portOf(server)}/\n`)
  await once(server, 'close')
}

/** @param {import('node:http').Server} server */
const portOf = (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port

/**
 * @param {Request} request
 * @param {Response} response
 */
async function answer(request, response) {
  if (!isOurs(request)) return send(response, 403, 'text/plain', 'Not for this host.\n')
  const { method } = request
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const file = FILES[pathname]
  if (pathname !== '/' && !file) return send(response, 404, 'text/plain', 'Not found.\n')
  if (method === 'GET' || method === 'HEAD') {
    const { type, body } = file ?? { type: 'text/html', body: desk({}) }
    return send(response, 200, type, method === 'HEAD' ? '' : body)
  }
  if (method !== 'POST' || file) {
    response.setHeader('allow', file ? 'GET, HEAD' : 'GET, HEAD, POST')
    return send(response, 405, 'text/plain', 'Not allowed.\n')
  }
  const body = await bodyOf(request)
  if (body === undefined) {
    response.setHeader('connection', 'close')
    return send(response, 413, 'text/plain', 'Too long.\n')
  }
  const form = new URLSearchParams(body)
  const fields = { text: form.get('text') ?? '', tool: form.get('tool') ?? '' }
  return send(response, 200, 'text/html', desk(fields))
}

/**
 * Whether the request is meant for this server, and not sent by a page of somebody else.
 *
 * @param {Request} request
 */
function isOurs({ headers, socket }) {
  const { localPort } = socket
  const hosts = [`${LOOPBACK}:${localPort}`, `localhost:${localPort}`]
  const isHost = hosts.includes(headers.host ?? '')
  return isHost && (headers.origin === undefined || headers.origin === `http://${headers.host}`)
}

/**
 * @param {Request} request
 * @returns {Promise<string | undefined>} nothing where it is too long
 */
async function bodyOf(request) {
  const pieces = []
  let length = 0
  // Read to its end however long it is: some runtimes lose the way to answer a request that is left in the middle.
  for await (const piece of request) {
    length += piece.length
    if (length > LONGEST_BODY) pieces.length = 0
    else pieces.push(piece)
  }
  return length > LONGEST_BODY ? undefined : Buffer.concat(pieces).toString()
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} type
 * @param {string} body
 */
function send(response, status, type, body) {
  response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` })
  response.end(body)
}
