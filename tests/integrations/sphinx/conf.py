project = "A kitchen"
extensions = ["myst_parser", "openbook.sphinx"]
html_theme = "alabaster"
openbook_sidebar = True
