/** Whether a Linux binary is for the machine it is named after, and asks for nothing that machine may lack. */
import { execFileSync } from 'node:child_process'

const MACHINES = { aarch64: 'AArch64', x86_64: 'X86-64' }
const NEWEST_GLIBC = 17
// glibc is several libraries, musl is one; `libgcc_s` is on every system with a Node of its own.
const LIBRARIES = {
  gnu: /^(lib(c|m|dl|pthread|rt|util|gcc_s)\.so\.\d+|ld-linux-[\w-]+\.so\.\d+)$/,
  musl: /^(libc\.so|libc\.musl-\w+\.so\.1|libgcc_s\.so\.1)$/,
}

/**
 * @param {string} file
 * @param {string} target a triple of Rust
 * @returns {string[]} empty for a sound file
 */
export function complaints(file, target) {
  let text
  try {
    text = execFileSync('readelf', ['--wide', '-h', '-d', '-V', file], { encoding: 'utf8' })
  } catch (error) {
    return [`readelf: ${/** @type {Error} */ (error).message}`]
  }
  const machine = MACHINES[/** @type {keyof MACHINES} */ (target.split('-')[0])]
  const libc = target.endsWith('musl') ? 'musl' : 'gnu'
  const needed = [...text.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name]) => name ?? '')
  const versions = [...text.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor))
  const newest = Math.max(0, ...versions)
  return [
    /Machine:.*/.exec(text)?.[0].includes(machine) ? '' : `is not for ${machine}`,
    ...needed.filter((name) => !LIBRARIES[libc].test(name)).map((name) => `needs ${name}`),
    newest > (libc === 'gnu' ? NEWEST_GLIBC : 0) ? `needs glibc 2.${newest}` : '',
  ].filter(Boolean)
}
