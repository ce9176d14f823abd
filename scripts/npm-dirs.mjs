/**
 * Writes `npm/`: the manifests of the packages that hold one binary each. napi asks the registry for the newest
 * WASI runtime; here it is told the one that is installed, so that the result is what was tested, today and next year.
 * Licences go with the binaries they are about.
 */
import { once } from 'node:events'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { NapiCli } from '@napi-rs/cli'

const root = new URL('../', import.meta.url)

const server = createServer((request, response) => {
  const manifest = new URL(`node_modules${request.url}/package.json`, root)
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  response.end(JSON.stringify({ 'dist-tags': { latest: version } }))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
process.env.npm_config_registry = `http://127.0.0.1:${port}/`
await new NapiCli().createNpmDirs({ cwd: fileURLToPath(root) })
server.close()
server.closeAllConnections()

const LICENCES = ['LICENSE', 'THIRD-PARTY-NOTICES']
for (const name of readdirSync(new URL('npm/', root))) {
  const folder = new URL(`npm/${name}/`, root)
  for (const file of LICENCES) copyFileSync(new URL(file, root), new URL(file, folder))
  const path = new URL('package.json', folder)
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  manifest.files = [...new Set([...manifest.files, ...LICENCES])]
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`)
}
