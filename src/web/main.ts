document.title = 'hearthd';
