// Makes answers pleasant: tooltips, markers that open the panel and light up their source, dialogs in
// browsers that do not open them by themselves. One listener each for the whole page, so answers may
// come and go. Without it links and panels work as they are.
;(() => {
  const installed = Symbol.for('@vybestack/llxprt-code-citations')
  if (document[installed]) return
  document[installed] = true

  const GRACE = 150
  const LIT = 2000
  let shown
  let leaving

  const markerOf = (target) => (target instanceof Element ? target.closest('.cite-mark a') : null)
  const tipOf = (target) => (target instanceof Element ? target.closest('.cite-tip') : null)

  function show(marker) {
    const tip = document.getElementById(marker.getAttribute('aria-describedby') ?? '')
    if (!tip) return
    clearTimeout(leaving)
    if (shown !== tip) hide()
    shown = tip
    tip.hidden = false
    // On top of everything, where a page can put it there.
    if (tip.showPopover && !tip.matches(':popover-open')) tip.showPopover()
    place(tip, marker.getBoundingClientRect())
  }

  /** Below its marker, or above where there is no room, and never beyond the edge. */
  function place(tip, mark) {
    const { width, height } = tip.getBoundingClientRect()
    const gap = 6
    const right = Math.max(gap, document.documentElement.clientWidth - width - gap)
    const below = mark.bottom + gap
    const fits = below + height <= document.documentElement.clientHeight
    tip.style.left = `${Math.min(Math.max(gap, mark.left), right)}px`
    tip.style.top = `${fits ? below : Math.max(gap, mark.top - gap - height)}px`
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
    source.classList.add('cite-lit')
    setTimeout(() => source.classList.remove('cite-lit'), LIT)
    source.querySelector('.cite-open')?.focus({ preventScroll: true })
  }

  document.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'touch') return
    const marker = markerOf(event.target)
    if (marker) show(marker)
    else if (tipOf(event.target)) clearTimeout(leaving)
  })
  document.addEventListener('pointerout', (event) => {
    if (markerOf(event.target) || tipOf(event.target)) leave()
  })
  document.addEventListener('focusin', (event) => {
    const marker = markerOf(event.target)
    if (marker) show(marker)
    else hide()
  })
  document.addEventListener('focusout', (event) => {
    if (markerOf(event.target)) leave()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide()
  })
  addEventListener('scroll', hide, { capture: true, passive: true })

  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const marker = markerOf(event.target)
    const address = marker?.getAttribute('href') ?? ''
    const source = address.startsWith('#') && document.getElementById(address.slice(1))
    if (source) {
      event.preventDefault()
      hide()
      reveal(source)
      return
    }
    openDialog(event)
  })

  function openDialog({ target }) {
    if (!(target instanceof Element)) return
    // A click beside what a dialog shows is a click on the dialog itself.
    if (target instanceof HTMLDialogElement && target.classList.contains('cite-dialog')) {
      target.close()
      return
    }
    const button = target.closest('.cite-open')
    if (!button || 'commandForElement' in HTMLButtonElement.prototype) return
    document.getElementById(button.getAttribute('commandfor') ?? '')?.showModal()
  }

  // On paper a closed panel would hide the sources.
  addEventListener('beforeprint', () => {
    for (const panel of document.querySelectorAll('.cite details:not([open])')) {
      panel.open = true
      addEventListener('afterprint', () => (panel.open = false), { once: true })
    }
  })
})()
