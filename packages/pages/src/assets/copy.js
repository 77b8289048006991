// A button next to each text that people copy. Without it, or without a clipboard, the text is still
// there to be selected. The element is marked with data-copy, which names it.
{
  const addButtons = () => {
    for (const each of document.querySelectorAll('[data-copy]')) {
      if (each.nextElementSibling?.className === 'copy') continue;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'copy';
      button.textContent = 'Copy';
      button.ariaLabel = `Copy: ${each.dataset.copy}`;
      button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(each.querySelector('data')?.value ?? each.textContent);
        button.textContent = 'Copied';
      });
      each.after(button);
    }
  };
  // Browsers give a clipboard only to pages of HTTPS and of this machine.
  if (navigator.clipboard !== undefined) {
    addButtons();
    document.addEventListener('figures-refreshed', addButtons);
  }
}
