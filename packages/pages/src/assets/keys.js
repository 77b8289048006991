// `/` goes to the search; Escape closes the menu that is open, and goes back to what opened it.
document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return;
  const menu = document.querySelector('.menu[open]');
  if (key === 'Escape' && menu !== null) {
    menu.open = false;
    menu.querySelector('summary').focus();
  } else if (key === '/' && !target.closest('input, select, textarea')) {
    event.preventDefault();
    document.querySelector('input[type=search]')?.focus();
  }
});
