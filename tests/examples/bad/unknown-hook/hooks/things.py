def paint(world, input):
    return None
