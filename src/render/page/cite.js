// Makes answers pleasant: tooltips, markers that open the panel and light up their source, dialogs in
// browsers that do not open them by themselves. One listener each for the whole page, so answers may
// come and go. Without it links and panels work as they are.
;(() => {
  const installed = Symbol.for('@vybestack/llxprt-code-citations')
  if (document[installed]) return
  document[installed] = true

  const GRACE = 250
  const LIT = 2000
  let shown
  let owner
  let leaving
  let lit
  let fading
  let pressed

  /** What of ours the event is about, in a shadow root too. */
  function near(event, selector) {
    const [target] = event.composedPath()
    return target instanceof Element ? target.closest(selector) : null
  }
  const markerOf = (event) => near(event, '.cite-mark a')
  const named = (from, id) => from.getRootNode().getElementById(id ?? '')

  function show(marker) {
    const tip = named(marker, marker.getAttribute('aria-describedby'))
    if (!tip) return
    clearTimeout(leaving)
    if (shown !== tip) hide()
    shown = tip
    owner = marker
    tip.hidden = false
    // On top of everything, where a page can put it there.
    if (tip.showPopover && !tip.matches(':popover-open')) tip.showPopover()
    place(tip, marker.getBoundingClientRect())
  }

  /** Below its marker, or above where there is no room, and never beyond the edge. */
  function place(tip, mark) {
    const { width, height } = tip.getBoundingClientRect()
    const gap = 4
    const { clientWidth, clientHeight } = document.documentElement
    const right = Math.max(gap, clientWidth - width - gap)
    const below = mark.bottom + gap
    const above = Math.max(gap, mark.top - gap - height)
    tip.style.left = `${Math.min(Math.max(gap, mark.left), right)}px`
    tip.style.top = `${below + height + gap <= clientHeight ? below : above}px`
  }

  /** The page moved: by hand, or because the focus went to a marker that was out of sight. */
  function follow() {
    if (!shown) return
    const mark = owner.getBoundingClientRect()
    const gone = mark.bottom < 0 || mark.top > document.documentElement.clientHeight
    if (gone || !owner.isConnected) hide()
    else place(shown, mark)
  }

  function hide() {
    clearTimeout(leaving)
    if (!shown) return
    if (shown.hidePopover && shown.matches(':popover-open')) shown.hidePopover()
    shown.hidden = true
    shown = undefined
  }

  /** Waits a little: the pointer may be on its way to the tooltip. */
  function leave() {
    clearTimeout(leaving)
    leaving = setTimeout(hide, GRACE)
  }

  function reveal(source) {
    for (let at = source.parentElement; at; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement) at.open = true
    }
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    source.scrollIntoView({ block: 'center', behavior: still ? 'auto' : 'smooth' })
    source.querySelector('.cite-open')?.focus({ preventScroll: true })
    light(source)
  }

  function light(source) {
    clearTimeout(fading)
    lit?.classList.remove('cite-lit')
    lit = source
    source.classList.add('cite-lit')
    fading = setTimeout(() => source.classList.remove('cite-lit'), LIT)
  }

  document.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'touch') return
    const marker = markerOf(event)
    if (marker) show(marker)
    else if (near(event, '.cite-tip')) clearTimeout(leaving)
  })
  document.addEventListener('pointerout', (event) => {
    if (near(event, '.cite-mark a, .cite-tip')) leave()
  })
  document.addEventListener('focusin', (event) => {
    const marker = markerOf(event)
    if (marker) show(marker)
    else hide()
  })
  document.addEventListener('focusout', (event) => {
    if (markerOf(event)) leave()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide()
  })
  addEventListener('scroll', follow, { capture: true, passive: true })
  addEventListener('resize', follow)

  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const marker = markerOf(event)
    const address = marker?.getAttribute('href') ?? ''
    const source = address.startsWith('#') && named(marker, address.slice(1))
    if (source) {
      event.preventDefault()
      hide()
      reveal(source)
      return
    }
    openDialog(event)
    closeDialog(event)
  })

  function openDialog(event) {
    if ('commandForElement' in HTMLButtonElement.prototype) return
    const button = near(event, '.cite-open')
    if (button) named(button, button.getAttribute('commandfor'))?.showModal()
  }

  /** The dialog that an event is beside: what lies behind a dialog counts as the dialog itself. */
  function dialogBeside(event) {
    const [dialog] = event.composedPath()
    if (!(dialog instanceof HTMLDialogElement) || !dialog.matches('.cite-dialog')) return undefined
    const { left, right, top, bottom } = dialog.getBoundingClientRect()
    const { clientX: x, clientY: y } = event
    return x < left || x > right || y < top || y > bottom ? dialog : undefined
  }

  document.addEventListener('pointerdown', (event) => {
    pressed = dialogBeside(event)
  })

  /** Who selects words of a dialog and lets go beside it does not want it closed. */
  function closeDialog(event) {
    if ('closedBy' in HTMLDialogElement.prototype) return
    const dialog = dialogBeside(event)
    if (dialog && dialog === pressed) dialog.close()
  }

  // On paper a closed panel would hide the sources.
  addEventListener('beforeprint', () => {
    for (const panel of document.querySelectorAll('.cite details:not([open])')) {
      panel.open = true
      addEventListener('afterprint', () => (panel.open = false), { once: true })
    }
  })
})()
