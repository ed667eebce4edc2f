def paint(input):
    return None
