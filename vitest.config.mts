import { defineConfig } from 'vitest/config'

// Another build of the addon than the one beside index.js. Only the tests may see this variable: Vite's own
// addons obey it too.
const { CITATIONS_ADDON: addon } = process.env

export default defineConfig({
  test: {
    include: ['__test__/**/*.spec.ts'],
    testTimeout: 60_000,
    env: addon ? { NAPI_RS_NATIVE_LIBRARY_PATH: addon } : {},
  },
})
