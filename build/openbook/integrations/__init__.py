"""openbook as a part of other generators: each builds its site, then openbook reads it and is put inside it."""
