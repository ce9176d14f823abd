/** Writes docs/api.md from the comments in index.d.ts, where editors read them too. Run: node scripts/api.mjs */
import { readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'

const file = (/** @type {string} */ path) => new URL(`../${path}`, import.meta.url)

const HEAD = `# API reference

What \`@vybestack/llxprt-code-citations\` exports, with the words and examples that editors show. The
[README](../README.md) says what it is for. This page is generated from the comments of the source
(\`node scripts/api.mjs\`).
`

/** @type {Map<string, number>} How often each slug was given out. */
const slugs = new Map()

/** @typedef {{ heading: string, text: string }} Entry */

const source = ts.createSourceFile(
  'index.d.ts',
  readFileSync(file('index.d.ts'), 'utf8'),
  ts.ScriptTarget.Latest,
  true,
)
writeFileSync(file('docs/api.md'), reference(source.statements))

/** @param {ts.NodeArray<ts.Statement>} statements */
function reference(statements) {
  const namespaces = statements.filter(ts.isModuleDeclaration)
  const chapters = [
    chapter(
      'Functions',
      statements.filter(ts.isFunctionDeclaration).flatMap((node) => callable(node)),
    ),
    chapter(
      'Classes',
      statements.filter(ts.isClassDeclaration).flatMap((node) => construct(node)),
    ),
    ...namespaces.map(namespace),
    chapter('Types', statements.filter(isType).map(declared)),
  ]
  return `${[HEAD, ...chapters.map(({ contents }) => contents)].join('\n')}\n${chapters.map(({ text }) => text).join('\n')}`
}

/** @param {ts.ModuleDeclaration} node */
function namespace(node) {
  const name = node.name.text
  const inside = /** @type {ts.ModuleBlock} */ (node.body).statements
  const functions = inside
    .filter(ts.isFunctionDeclaration)
    .flatMap((each) => callable(each, `${name}.`))
  const classes = inside
    .filter(ts.isClassDeclaration)
    .flatMap((each) => construct(each, `${name}.`))
  return chapter(`Namespace ${name}`, [...functions, ...classes])
}

/**
 * @param {string} title
 * @param {Entry[]} entries
 */
function chapter(title, entries) {
  const listed = [link(title), ...entries.map(({ heading }) => link(heading))]
  const [chief, ...links] = listed.filter(
    (_, at) => at === 0 || entries[at - 1]?.text.startsWith('### '),
  )
  return {
    contents: `**${chief}**: ${links.join(', ')}\n`,
    text: `## ${title}\n\n${entries.map(({ text }) => text).join('\n')}`,
  }
}

/**
 * A link to a heading, for each heading once and in order: GitHub numbers those that read the same.
 *
 * @param {string} heading
 */
function link(heading) {
  const slug = heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')
  const before = slugs.get(slug) ?? 0
  slugs.set(slug, before + 1)
  return `[${heading}](#${slug}${before ? `-${before}` : ''})`
}

/** @param {ts.Statement} node */
function isType(node) {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
}

/**
 * @param {ts.FunctionDeclaration} node
 * @returns {Entry[]}
 */
function callable(node, prefix = '') {
  const heading = `${prefix}${node.name?.text}`
  return [{ heading, text: entry('###', heading, code(node), node) }]
}

/**
 * @param {ts.ClassDeclaration} node
 * @returns {Entry[]}
 */
function construct(node, prefix = '') {
  const name = node.name?.text ?? ''
  const heading = `${prefix}${name}`
  const members = node.members.filter((member) => !isPrivate(member))
  return [
    { heading, text: entry('###', heading, '', node) },
    ...members.map((member) => {
      const made = ts.isConstructorDeclaration(member)
      const title = made ? `new ${heading}` : `${name}.${member.name?.getText()}`
      return { heading: title, text: entry('####', title, code(member), member) }
    }),
  ]
}

/** @param {ts.ClassElement} member */
function isPrivate(member) {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0
}

/**
 * @param {ts.Statement} node
 * @returns {Entry}
 */
function declared(node) {
  const heading = /** @type {ts.InterfaceDeclaration} */ (node).name.text
  return { heading, text: entry('###', heading, code(node), node) }
}

/** A declaration without what every declaration says. @param {ts.Node} node */
function code(node) {
  const text = node.getText().replace(/^export (declare )?/, '')
  const margin = ' '.repeat(ts.getLineAndCharacterOfPosition(source, node.getStart()).character)
  return `\`\`\`ts\n${text.replaceAll(`\n${margin}`, '\n')}\n\`\`\`\n`
}

/**
 * @param {string} level
 * @param {string} heading
 * @param {string} declaration
 * @param {ts.Node} node
 */
function entry(level, heading, declaration, node) {
  return [`${level} ${heading}\n`, declaration, ...comment(node)].filter(Boolean).join('\n')
}

/**
 * The comment of a declaration: its text, what it throws, its examples.
 *
 * @param {ts.Node} node
 */
function comment(node) {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  if (!doc) return []
  const words = (/** @type {ts.JSDoc | ts.JSDocTag} */ said) =>
    ts.getTextOfJSDocComment(said.comment) ?? ''
  const tags = (doc.tags ?? []).map((tag) => {
    if (tag.tagName.text === 'example') return `${words(tag)}\n`
    if (tag.tagName.text === 'throws') return `Throws ${words(tag)}\n`
    throw new Error(`@${tag.tagName.text} has no place in docs/api.md yet`)
  })
  return [words(doc) && `${words(doc)}\n`, ...tags]
}
